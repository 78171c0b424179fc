import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { QueuedMessage } from "../../../shared/contract/team.ts";
import { replyMessage } from "../context/reply.ts";
import { redirectionMessages, threadMessages, userMessage } from "../context/user-message.ts";
import type { TurnOutcome } from "../participants/participant.ts";
import type { LiveReasoning } from "./live-reasoning.ts";

/** The steering messages that wait for the next turn of `name`, or of anyone, each with its messages in the thread. */
export const steeringFor = (
  name: string,
  queued: readonly QueuedMessage[],
  user: string,
): (Pick<QueuedMessage, "id" | "to"> & { readonly messages: readonly ChatMessage[] })[] =>
  queued
    .filter(({ delivery, to }) => delivery === "steer" && (to === name || to === undefined))
    .map((waiting) => ({ id: waiting.id, to: waiting.to, messages: threadMessages(userMessage(waiting, user)) }));

/** What is added to the thread at the end of a turn: its reply, and what its participant is told to do instead. */
export function messagesAfter(outcome: TurnOutcome, { participant, stopRequest }: LiveReasoning): ChatMessage[] {
  const replies = outcome.kind === "reply" ? [replyMessage(participant, outcome.reply)] : [];
  const redirections = stopRequest?.redirections ?? [];
  return [...replies, ...redirections.flatMap((each) => redirectionMessages(participant, each))];
}
