import type { ChatMessage } from "../../../../shared/contract/message.ts";
import type { SelectionContext } from "../manager.ts";

/** Returns a test for messages of the user: not from a participant, and not from one of `others`. */
export function userMessageTest(
  { state }: SelectionContext,
  others: readonly string[] = [],
): (message: ChatMessage) => boolean {
  const members = state.participants.filter(({ kind }) => kind !== "user").map(({ name }) => name);
  const not = new Set([...members, ...(state.former ?? []), ...others]);
  return ({ source }) => !not.has(source);
}

/** True for a message that the user sent to one participant. It does not change the order of speakers. */
export const isDirectedMessage = ({ metadata }: ChatMessage): boolean => metadata?.["to"] !== undefined;
