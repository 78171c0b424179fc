import type { UndoneEdits } from "../../shared/contract/edits.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { askModal } from "../dialogs/ask-modal.ts";

const KEEP = "Keep These Lines";
const UNDO_ANYWAY = "Undo Anyway";
const MAX_LISTED = 20;

const LINES = "Undo Anyway also takes away what you, or a command, have changed there.";

/** Asks whether to undo what the user has changed too; undefined when the user cancels. `loss` says what that takes away. */
export async function mayOverwrite(left: UndoneEdits["left"], loss = LINES): Promise<boolean | undefined> {
  const reasons = left.slice(0, MAX_LISTED).map(({ reason }) => visibleText(reason).text);
  const detail = [...reasons, "", loss].join("\n");
  const answer = await askModal("Some lines have been changed since. Undo these too?", detail, KEEP, UNDO_ANYWAY);
  return answer === undefined ? undefined : answer === UNDO_ANYWAY;
}
