import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { QueuedMessage } from "../../../shared/contract/team.ts";
import { replyMessage } from "../context/reply.ts";
import { directedMessage, redirectionMessages, threadMessages } from "../context/user-message.ts";
import type { TurnOutcome } from "../participants/participant.ts";
import type { LiveReasoning } from "./live-reasoning.ts";

/** The steering messages that wait for the next turn of `name`, each with its messages in the thread. */
export const steeringFor = (
  name: string,
  queued: readonly QueuedMessage[],
  user: string,
): { readonly id: string; readonly messages: readonly ChatMessage[] }[] =>
  queued
    .filter(({ delivery, to }) => delivery === "steer" && to === name)
    .map((waiting) => ({ id: waiting.id, messages: threadMessages(directedMessage(waiting, user)) }));

/** What is added to the thread at the end of a turn: its reply, and what its participant is told to do instead. */
export function messagesAfter(outcome: TurnOutcome, { participant, stopRequest }: LiveReasoning): ChatMessage[] {
  const replies = outcome.kind === "reply" ? [replyMessage(participant, outcome.reply)] : [];
  const redirections = stopRequest?.redirections ?? [];
  return [...replies, ...redirections.flatMap((each) => redirectionMessages(participant, each))];
}
