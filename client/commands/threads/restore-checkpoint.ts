import { type QuickPickItem, window } from "vscode";
import type { Checkpoint } from "../../../shared/contract/checkpoint.ts";
import { firstLine, textOf } from "../../../shared/contract/message-text.ts";
import { EditsUndo, TeamCheckpoints, TeamRewind } from "../../../shared/contract/requests.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { mayOverwrite } from "../../changes/may-overwrite.ts";
import { postUndoneCalls } from "../../chat/undone-calls.ts";
import { plainText } from "../../common/plain-text.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import { notify } from "../../dialogs/notify.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";

const BOTH = "Restore Files and Thread";
const THREAD = "Restore Thread";
const FILES = "Restore Files";
const UNDO = "Undo";
const MAX_LISTED = 20;

interface Restored {
  readonly teamId: string;
  /** The undo of the files; null when none was restored. */
  readonly undoId: string | null;
  readonly files: readonly string[];
  /** Where the thread was; undefined when it was left as it is. */
  readonly from: number | undefined;
}

/**
 * Takes files and thread, or one of them, back to before a message: the one with that id, or one that the user picks. Both
 * can be undone.
 */
export const restoreCheckpoint: Command = async (services, argument) => {
  requireTrust();
  const { actions, host, opener } = services;
  await opener.restore();
  if (actions.isRunning)
    throw new Error("The team is running. Interrupt it, or wait until it has finished, then restore.");
  const { teamId } = actions.team;
  const point = await pointFor(services, teamId, argument);
  if (point === undefined) return;
  const text = messageText(services, point);
  const files = await host.request(EditsUndo, { teamId, after: point.seq, dryRun: true });
  const some = files.restored.length + files.left.length > 0;
  const offers = some ? ([BOTH, THREAD, FILES] as const) : ([THREAD] as const);
  const choice = await askModal(questionOf(point), detailOf(text, files.restored, files.left.length), ...offers);
  if (choice === undefined) return;
  const withFiles = choice !== THREAD && some;
  const overwrite = withFiles && files.left.length > 0 ? await mayOverwrite(files.left) : false;
  if (overwrite === undefined) return;
  const undone = withFiles ? await host.request(EditsUndo, { teamId, after: point.seq, overwrite }) : undefined;
  const undoId = undone?.undoId ?? null;
  const from = choice === FILES ? undefined : await rewind(services, teamId, point.seq, undoId);
  if (from !== undefined && text !== "") await services.chat.focus({ text });
  await tell(services, { teamId, undoId, from, files: undone?.restored ?? [] });
};

/** Files and thread go back together: if the thread cannot, the files are as they were. */
async function rewind({ host }: Services, teamId: string, seq: number, undoId: string | null): Promise<number> {
  try {
    return (await host.request(TeamRewind, { teamId, seq })).from;
  } catch (error) {
    if (undoId !== null) await host.request(EditsUndo, { teamId, turnId: undoId });
    throw error;
  }
}

async function tell(services: Services, { teamId, undoId, files, from }: Restored): Promise<void> {
  const { host, chat, changes } = services;
  void postUndoneCalls(host, chat, teamId);
  await changes.refresh();
  const what = [
    ...(files.length === 0 ? [] : [countText(files.length, "file")]),
    ...(from === undefined ? [] : ["the thread"]),
  ].join(" and ");
  if (what === "") return void (await notify("warning", "No file was restored."));
  const choice = await notify("info", `Checkpoint restored: ${what}.`, UNDO);
  if (choice !== UNDO) return;
  // The thread first: while the team runs, it is refused, and then the files stay as they are too.
  if (from !== undefined) await host.request(TeamRewind, { teamId, seq: from });
  const redone = undoId === null ? undefined : await host.request(EditsUndo, { teamId, turnId: undoId });
  void postUndoneCalls(host, chat, teamId);
  await changes.refresh();
  const left = redone?.left ?? [];
  if (left.length > 0) await notify("warning", left.map(({ reason }) => visibleText(reason).text).join(" "));
}

async function pointFor({ host }: Services, teamId: string, argument: unknown): Promise<Checkpoint | undefined> {
  const { checkpoints } = await host.request(TeamCheckpoints, { teamId });
  if (typeof argument === "string") {
    const found = checkpoints.find(({ messageId }) => messageId === argument);
    if (found !== undefined) return found;
    throw new Error(
      "This message began no run of this thread, so there is no checkpoint before it. Choose an earlier one.",
    );
  }
  if (checkpoints.length === 0) throw new Error("There is no checkpoint yet: the thread is empty.");
  const items = checkpoints.map((point): QuickPickItem & { readonly point: Checkpoint } => ({
    label: plainText(point.messageId === undefined ? "Before the thread went back" : `Before “${shortText(point)}”`),
    description: new Date(point.at).toLocaleString(),
    point,
  }));
  const picked = await window.showQuickPick(items, {
    title: "Restore Checkpoint",
    placeHolder: "Select the message to go back to before",
    matchOnDescription: true,
  });
  return picked?.point;
}

const shortText = ({ text = "" }: Checkpoint): string => firstLine(visibleText(text).text, 80);

const questionOf = (point: Checkpoint): string =>
  point.messageId === undefined ? "Restore what was before?" : "Restore to before this message?";

function detailOf(text: string, restored: readonly string[], left: number): string {
  const files = restored.slice(0, MAX_LISTED).map((path) => visibleText(path).text);
  const more = restored.length > MAX_LISTED ? [`And ${restored.length - MAX_LISTED} more.`] : [];
  return [
    ...(text === "" ? [] : [`“${firstLine(visibleText(text).text, 200)}”`, ""]),
    ...(restored.length === 0
      ? []
      : [`Files that go back: ${countText(restored.length, "file")}.`, ...files, ...more, ""]),
    ...(left === 0 ? [] : ["You have changed some of the same lines since; you are asked about these.", ""]),
    "What you have changed in other lines is kept, and what commands have changed is not restored. You can undo this.",
  ].join("\n");
}

/** The whole text of the message, for the composer; its beginning where the message is not in memory. */
function messageText({ actions }: Services, { messageId, text = "" }: Checkpoint): string {
  if (messageId === undefined) return "";
  const message = actions.team.thread.find(({ id }) => id === messageId);
  return message === undefined ? text : textOf(message);
}
