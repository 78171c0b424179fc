import type { EditedTurn, UndoneEdits } from "../../../shared/contract/edits.ts";
import { EditsList, EditsUndo } from "../../../shared/contract/requests.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { postUndoneCalls } from "../../chat/undone-calls.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import { notify } from "../../dialogs/notify.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";

const UNDO = "Undo Edits";
const REDO = "Redo";
const MAX_LISTED = 20;

const CHANGE_TEXT: Readonly<Record<EditedTurn["files"][number]["change"], string>> = {
  created: "was created and will be deleted",
  changed: "was changed and will be restored",
  deleted: "was deleted and will be restored",
};

/** Restores the files that the last writing turn changed, after the user has confirmed the list. */
export const undoEdits: Command = async (services) => {
  requireTrust();
  const { host, actions, opener } = services;
  await opener.restore();
  const { teamId, name } = actions.team;
  const { turns } = await host.request(EditsList, { teamId });
  const turn = turns.find(({ undoes, files }) => undoes === undefined && files.some(({ undone }) => !undone));
  if (turn === undefined) throw new Error(`${name} has made no edits that can be undone.`);
  const question = `Undo the edits of ${turn.participant ?? "the last turn"}?`;
  const choice = await askModal(question, detailOf(turn), UNDO);
  if (choice === UNDO) await undo(services, teamId, turn.turnId, "restored");
};

function detailOf({ files }: EditedTurn): string {
  const remaining = files.filter(({ undone }) => !undone);
  const lines = remaining
    .slice(0, MAX_LISTED)
    .map(({ path, change }) => `${visibleText(path).text} ${CHANGE_TEXT[change]}.`);
  const more = remaining.length - lines.length;
  return [
    ...lines,
    ...(more > 0 ? [`And ${more} more.`] : []),
    "",
    "Files that have been changed since then are kept as they are.",
  ].join("\n");
}

/** Undoes the edits of a turn, or an earlier undo, and offers to redo them. */
async function undo(services: Services, teamId: string, turnId: string, done: string): Promise<void> {
  const result = await services.host.request(EditsUndo, { teamId, turnId });
  void postUndoneCalls(services.host, services.chat, teamId);
  const { undoId } = result;
  const message = messageFor(result, done);
  if (undoId === null) throw new Error(message);
  const offers = done === "restored" ? [REDO] : [];
  const choice = await notify(result.left.length === 0 ? "info" : "warning", message, ...offers);
  if (choice === REDO) await undo(services, teamId, undoId, "edited again");
}

function messageFor({ restored, left }: UndoneEdits, done: string): string {
  const count = restored.length === 1 ? "1 file was" : `${restored.length} files were`;
  const reasons = left.map(({ reason }) => visibleText(reason).text).join(" ");
  return [`${restored.length === 0 ? "No file was" : count} ${done}.`, reasons].filter((part) => part !== "").join(" ");
}
