import type { ChatMessage } from "../../../../shared/contract/message.ts";
import { textOf } from "../../../../shared/contract/message-text.ts";
import { countOf } from "../../count-of.ts";
import { clipText } from "./clip-text.ts";

/** How many characters of a conversation a manager's model is shown. */
const CONVERSATION_LIMIT = 60_000;

/** How many characters of one message a manager's model is shown. */
const MESSAGE_LIMIT = 8_000;

/**
 * Messages as text for a manager's model, `source: text` each. A long conversation is cut to its first message, which is
 * usually the task, and as much of the end as fits, so that the cost of a selection is bounded.
 */
export function conversationText(messages: readonly ChatMessage[], limit = CONVERSATION_LIMIT): string {
  const [first] = messages;
  if (first === undefined) return "(no messages yet)";
  const rest = tailOf(messages, limit);
  const missing = messages.length - 1 - rest.length;
  const gap = missing === 0 ? [] : [`[${countOf(missing, "earlier message")} omitted]`];
  return [lineOf(first), ...gap, ...rest.map(lineOf)].join("\n");
}

/** The last messages that fit in addition to the first; always includes the newest. */
function tailOf(messages: readonly ChatMessage[], limit: number): readonly ChatMessage[] {
  let start = messages.length;
  for (let room = limit; start > 1; start--) {
    const message = messages[start - 1];
    room -= message === undefined ? 0 : lineOf(message).length;
    if (room < 0 && start < messages.length) break;
  }
  return messages.slice(start);
}

function lineOf(message: ChatMessage): string {
  const to = message.metadata?.["to"];
  const from = typeof to === "string" ? `${message.source} (only to ${to})` : message.source;
  return `${from}: ${clipText(textOf(message), MESSAGE_LIMIT)}${message.partial ? " [interrupted]" : ""}`;
}
