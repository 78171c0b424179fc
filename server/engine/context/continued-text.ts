import type { ChatMessage } from "../../../shared/contract/message.ts";
import { textOf } from "../../../shared/contract/message-text.ts";

/**
 * The whole text of a message of `messages`: after an interrupt its source continues from where it was interrupted and
 * repeats nothing, so that its words stand in the partials before it too. Answers to what the user sent to it in the
 * meantime are passed over.
 */
export function continuedText(messages: readonly ChatMessage[], message: ChatMessage): string {
  const { source } = message;
  let text = textOf(message);
  let isPassingAnswer = false;
  for (let at = messages.lastIndexOf(message) - 1; at >= 0; at--) {
    const before = messages[at];
    if (before === undefined) break;
    if (before.source === source) {
      if (!before.partial && isPassingAnswer) break;
      if (!before.partial) isPassingAnswer = true;
      else if (!isPassingAnswer) text = textOf(before) + text;
    } else if (before.metadata?.["to"] === source) {
      // The message itself is the answer.
      if (!isPassingAnswer) break;
      isPassingAnswer = false;
    }
  }
  return text;
}
