import type { DurableEvent } from "../../../../shared/contract/event.ts";
import type { CutText } from "../cut-texts.ts";

/** How long the long texts of an event that is sent may be as JSON: JavaScript has no text of more than 2^29 characters. */
export const MOST_SENT = 500_000_000;

/** What a character becomes at most: `\u0000`. */
const LONGEST_ESCAPE = 6;

/** Whether an event with these texts can be one JSON text. */
export function isSendable(texts: readonly CutText[]): boolean {
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (characters * LONGEST_ESCAPE <= MOST_SENT) return true;
  return texts.reduce((sum, { text }) => sum + JSON.stringify(text).length, 0) <= MOST_SENT;
}

/** What is sent in the place of an event that cannot be. */
export function unsendable({ seq, at, type }: Pick<DurableEvent, "seq" | "at" | "type">): DurableEvent {
  const what = `This event (number ${seq}, ${type}) is too long to be sent, as it has more than 500 million characters.`;
  const message = `${what} It is stored, and the team goes on with it.`;
  return { seq, at, type: "error", message, data: { code: "StorageError" } };
}
