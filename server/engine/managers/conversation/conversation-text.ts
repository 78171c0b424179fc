import type { ChatMessage } from "../../../../shared/contract/message.ts";
import { textOf } from "../../../../shared/contract/message-text.ts";
import { clipText } from "./clip-text.ts";

/** How many characters of a talk a manager's model is shown. */
const CONVERSATION_LIMIT = 60_000;

/** And of one message. */
const MESSAGE_LIMIT = 8_000;

/**
 * Messages as text for a manager's model, `source: text` each. Of a long talk it is the first message, which says what it is
 * about, and as much of the end as fits: so a selection costs the same however long the team has talked.
 */
export function conversationText(messages: readonly ChatMessage[], limit = CONVERSATION_LIMIT): string {
  const [first] = messages;
  if (first === undefined) return "(nothing yet)";
  const rest = tailOf(messages, limit);
  const missing = messages.length - 1 - rest.length;
  const gap = missing === 0 ? [] : [`[${missing} earlier ${missing === 1 ? "message" : "messages"} left out]`];
  return [lineOf(first), ...gap, ...rest.map(lineOf)].join("\n");
}

/** The last messages that fit beside the first; the newest is always there. */
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
  const from = typeof to === "string" ? `${message.source} (to ${to} alone)` : message.source;
  return `${from}: ${clipText(textOf(message), MESSAGE_LIMIT)}${message.partial ? " [cut short]" : ""}`;
}
