import type { ChatMessage } from "../contract/message.ts";

/** How many characters the messages of one answer have together, as an answer is one JSON text. */
export const MAX_CHARACTERS = 32_000_000;

/**
 * The last of these messages, at most `most`, and fewer where they are long. The last one is among them, however long it is.
 */
export function lastMessages(messages: readonly ChatMessage[], most: number): ChatMessage[] {
  let from = messages.length;
  for (let left = MAX_CHARACTERS; from > 0 && messages.length - from < most; from--) {
    left -= sizeOf(messages[from - 1]);
    if (left < 0 && from < messages.length) break;
  }
  return messages.slice(from);
}

/** Messages do not change, so each is measured once. */
const sizes = new WeakMap<ChatMessage, number>();

/** The characters of a message's content. */
function sizeOf(message: ChatMessage | undefined): number {
  if (message === undefined) return 0;
  const { content } = message;
  if (typeof content === "string") return content.length;
  const known = sizes.get(message) ?? JSON.stringify(content).length;
  sizes.set(message, known);
  return known;
}
