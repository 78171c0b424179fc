import { commands, Uri, window } from "vscode";
import type { ChangedFile, SelectedFile, UndoneEdits } from "../../../shared/contract/edits.ts";
import type { ParamsOf } from "../../../shared/contract/message-type.ts";
import { EditsFile, EditsKeep, EditsUndo } from "../../../shared/contract/requests.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { countsText, totalOf } from "../../changes/change-counts.ts";
import type { HunkArgument } from "../../changes/hunk-lenses.ts";
import { mayOverwrite } from "../../changes/may-overwrite.ts";
import type { TeamFileChanges } from "../../changes/shown-changes.ts";
import { postUndoneCalls } from "../../chat/undone-calls.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import { notify } from "../../dialogs/notify.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";

const UNDO_ALL = "Undo All";
const MAX_LISTED = 20;
const TURN_LOSS = "Undo Anyway takes these files back to before the turn, with all that was changed in them since.";

/** Opens the diff of a changed file, or the file that a command changed. */
export const openChange: Command = async (services, argument) => {
  const ofCommand = commandPath(argument);
  if (ofCommand !== undefined) {
    const { teamId, commands: changes } = await known(services);
    const change = changes.find(({ path }) => path === ofCommand);
    if (change === undefined) throw new Error("This change is no longer listed.");
    if (change.from === undefined) await commands.executeCommand("vscode.open", Uri.parse(change.uri));
    else await services.diffs.openMoved(teamId, change);
    return;
  }
  const { teamId, file } = await fileOf(services, argument);
  await services.diffs.open(teamId, file);
};

/** Opens all changed files in one diff editor. */
export const viewChanges: Command = async (services) => {
  const { teamId, files } = await known(services);
  if (files.length === 0) throw new Error("There are no changes to review.");
  await services.diffs.openAll(teamId, files);
};

/** Keeps the changes of a file: they are no longer listed. */
export const keepChanges: Command = async (services, argument) => {
  const path = commandPath(argument);
  if (path !== undefined) return keep(services, { files: [{ path }] });
  const { file } = await fileOf(services, argument);
  await keep(services, { files: [{ path: file.path }] });
};

export const keepAllChanges: Command = (services) => keep(services, {});

/** Undoes the changes of a file. */
export const undoChanges: Command = async (services, argument) => {
  requireTrust();
  const { file } = await fileOf(services, argument);
  await undo(services, { files: [{ path: file.path }] });
};

/** Undoes all changes, after the user has confirmed the list. */
export const undoAllChanges: Command = async (services) => {
  requireTrust();
  const { files, commands: byCommands } = await known(services);
  if (files.length === 0) throw new Error("There are no changes to undo.");
  const lines = files.slice(0, MAX_LISTED).map((file) => `${visibleText(file.path).text} ${countsText(file)}`);
  const more = files.length > MAX_LISTED ? [`And ${files.length - MAX_LISTED} more.`] : [];
  const kept =
    byCommands.length === 0 ? "" : ` What commands did to ${countText(byCommands.length, "file")} is not restored.`;
  const detail = [...lines, ...more, "", `What you have changed in other lines is kept.${kept}`].join("\n");
  const question = `Undo the changes in ${countText(files.length, "file")} (${countsText(totalOf(files))})?`;
  if ((await askModal(question, detail, UNDO_ALL)) === UNDO_ALL) await undo(services, { all: true });
};

/** Keeps a hunk: that of its CodeLens, or the one under the cursor. */
export const keepHunk: Command = async (services, argument) =>
  keep(services, { files: [await hunkOf(services, argument)] });

/** Undoes a hunk: that of its CodeLens, or the one under the cursor. */
export const undoHunk: Command = async (services, argument) => {
  requireTrust();
  await undo(services, { files: [await hunkOf(services, argument)] });
};

/** Keeps the changes of a turn, from its row. */
export const keepTurn: Command = async (services, argument) => keep(services, { turnId: turnOf(argument).turnId });

/** Undoes the changes of a turn, from its row. */
export const undoTurn: Command = async (services, argument) => {
  requireTrust();
  await undo(services, { turnId: turnOf(argument).turnId }, TURN_LOSS);
};

/** Shows the first tool call of a turn in the chat. */
export const showTurn: Command = (services, argument) => {
  const [ref] = turnOf(argument).refs;
  if (ref === undefined) throw new Error("The tool call that made this change is not known.");
  return services.run("gavel.showLineAuthor", { teamId: services.actions.team.teamId, ref });
};

async function keep(services: Services, what: Omit<ParamsOf<typeof EditsKeep>, "teamId">): Promise<void> {
  const { host, actions, changes } = services;
  const { teamId } = actions.team;
  const { left } = await host.request(EditsKeep, { teamId, ...what });
  await changes.refresh();
  if (left.length > 0) throw new Error(left.map(({ reason }) => visibleText(reason).text).join(" "));
}

/** Undoes changes; asks before it touches lines that the user has changed too, and offers to redo. */
async function undo(
  services: Services,
  what: Omit<ParamsOf<typeof EditsUndo>, "teamId">,
  loss?: string,
): Promise<void> {
  const { host, actions } = services;
  const { teamId } = actions.team;
  const wouldLeave = (await host.request(EditsUndo, { teamId, ...what, dryRun: true })).left;
  const overwrite = wouldLeave.length > 0 && (await mayOverwrite(wouldLeave, loss));
  if (overwrite === undefined) return;
  const done = await host.request(EditsUndo, { teamId, ...what, overwrite });
  await told(services, teamId, done, "restored");
}

async function told(services: Services, teamId: string, done: UndoneEdits, how: string): Promise<void> {
  const { host, chat, changes } = services;
  void postUndoneCalls(host, chat, teamId);
  await changes.refresh();
  const { undoId, restored, left } = done;
  const reasons = left.map(({ reason }) => visibleText(reason).text).join(" ");
  const count = restored.length === 1 ? "1 file was" : `${restored.length} files were`;
  if (undoId === null) {
    await notify("warning", `No file was ${how}. ${reasons}`.trim());
    return;
  }
  const message = `${count} ${how}. ${reasons}`.trim();
  const choice = await notify(left.length === 0 ? "info" : "warning", message, "Redo");
  if (choice !== "Redo") return;
  const redone = await host.request(EditsUndo, { teamId, turnId: undoId });
  await told(services, teamId, redone, "edited again");
}

async function known({ actions, opener, changes }: Services): Promise<TeamFileChanges> {
  await opener.restore();
  const { teamId } = actions.team;
  await changes.refresh();
  return changes.current ?? { teamId, files: [], turns: [], commands: [] };
}

/** The file of a row of the view, of a diff, or of the active editor. */
async function fileOf(
  services: Services,
  argument: unknown,
): Promise<{ readonly teamId: string; readonly file: ChangedFile }> {
  const { teamId, files } = await known(services);
  const path = isRecord(argument) && isRecord(argument["file"]) ? argument["file"]["path"] : undefined;
  const uri = argument instanceof Uri ? argument : window.activeTextEditor?.document.uri;
  const file =
    typeof path === "string"
      ? files.find((each) => each.path === path)
      : uri === undefined
        ? undefined
        : services.changes.find(uri);
  if (file === undefined) throw new Error("The team has changed nothing in this file that is not kept or undone.");
  return { teamId, file };
}

/** The turn of a row of the view. */
function turnOf(argument: unknown): { readonly turnId: string; readonly refs: readonly string[] } {
  const turn = isRecord(argument) && argument["kind"] === "turn" ? argument["turn"] : undefined;
  if (!isRecord(turn)) throw new Error("Select a turn in the Changes view, grouped by turn, and try again.");
  const { turnId, refs } = turn;
  return { turnId: String(turnId), refs: Array.isArray(refs) ? refs.map(String) : [] };
}

const commandPath = (argument: unknown): string | undefined =>
  isRecord(argument) && argument["kind"] === "command" && isRecord(argument["change"])
    ? String(argument["change"]["path"])
    : undefined;

async function hunkOf(services: Services, argument: unknown): Promise<SelectedFile> {
  if (isHunk(argument)) return { path: argument.path, hunks: [argument.hunk] };
  const { teamId, file } = await fileOf(services, undefined);
  const line = window.activeTextEditor?.selection.active.line ?? 0;
  const { hunks } = await services.host.request(EditsFile, { teamId, path: file.path });
  const hunk = hunks.find((each) => line >= each.line && line < each.line + Math.max(1, each.lines));
  if (hunk === undefined) throw new Error("The cursor is in no change of the team. Move it into one, and try again.");
  return { path: file.path, hunks: [hunk.id] };
}

const isHunk = (value: unknown): value is HunkArgument =>
  isRecord(value) && typeof value["path"] === "string" && typeof value["hunk"] === "string";
