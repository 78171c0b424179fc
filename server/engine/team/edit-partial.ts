import { invalidParams } from "../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";

/**
 * Replaces the text of a partial message, in the team or a nested team, or removes the message if `content` is null.
 * @throws GavelError `InvalidParams` if there is no such message, or it is complete.
 */
export function editPartial(tree: TeamTree, messageId: string, content: string | null, by: string): void {
  let isFound = false;
  // A nested team has its own copy of the messages that it received.
  for (const { team } of teamsIn(tree)) {
    const { messages } = team.transcript;
    const at = messages.findLastIndex(({ id }) => id === messageId);
    const message = messages[at];
    if (message === undefined) continue;
    if (message.partial !== true) throw invalidMessage(completeMessage(message));
    if (content !== null) team.ledger.record({ type: "message/edited", messageId, content, by });
    else team.ledger.record({ type: "message/dropped", messageId, fromEnd: messages.length - at, by });
    isFound = true;
  }
  if (!isFound) throw invalidMessage(`the thread has no message ${messageId}; it may have been removed`);
}

const completeMessage = ({ source }: ChatMessage): string =>
  `the message of ${source} is complete; only a message that was cut short can be changed`;

const invalidMessage = (message: string): Error => invalidParams("team/editMessage", [{ path: "messageId", message }]);
