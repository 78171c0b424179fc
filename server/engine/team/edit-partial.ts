import { invalidParams } from "../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";

/**
 * Writes a message anew that was cut short, in the team or in one within it, or takes it out of the thread where `content`
 * is null.
 * @throws GavelError `InvalidParams` when there is no such message, or it is whole.
 */
export function editPartial(tree: TeamTree, messageId: string, content: string | null, by: string): void {
  let isFound = false;
  // A nested team has its own copy of what it heard.
  for (const { team } of teamsIn(tree)) {
    const { messages } = team.transcript;
    const at = messages.findLastIndex(({ id }) => id === messageId);
    const message = messages[at];
    if (message === undefined) continue;
    if (message.partial !== true) throw refused(wholeMessage(message));
    if (content !== null) team.ledger.record({ type: "message/edited", messageId, content, by });
    else team.ledger.record({ type: "message/dropped", messageId, fromEnd: messages.length - at, by });
    isFound = true;
  }
  if (!isFound) throw refused(`the thread has no message ${messageId}; it may have been taken out`);
}

const wholeMessage = ({ source }: ChatMessage): string =>
  `the message of ${source} is whole, and stays as it was said; only one that was cut short can be changed`;

const refused = (message: string): Error => invalidParams("team/editMessage", [{ path: "messageId", message }]);
