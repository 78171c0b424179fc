import type { ChatMessage } from "../../../shared/contract/message.ts";
import { textOf } from "../../../shared/contract/message-text.ts";

/**
 * The whole text of a message. After an interrupt its source continues without repeating anything, so the text includes the
 * partials before it. Answers to directed messages in between are skipped.
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
