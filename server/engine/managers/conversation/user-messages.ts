import type { ChatMessage } from "../../../../shared/contract/message.ts";
import type { SelectionContext } from "../manager.ts";

/** Tells the user's messages from those of the participants, and of `others` who speak in the thread. */
export function userMessageTest(
  { state }: SelectionContext,
  others: readonly string[] = [],
): (message: ChatMessage) => boolean {
  const members = state.participants.filter(({ kind }) => kind !== "user").map(({ name }) => name);
  const not = new Set([...members, ...others]);
  return ({ source }) => !not.has(source);
}

/** True for a message that the user sent to one participant: it leaves the order of speakers as it was. */
export const isDirectedMessage = ({ metadata }: ChatMessage): boolean => metadata?.["to"] !== undefined;
