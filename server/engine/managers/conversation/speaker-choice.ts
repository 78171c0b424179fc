import * as z from "zod";
import type { SelectionContext } from "../manager.ts";
import { isDirectedMessage, userMessageTest } from "./user-messages.ts";

/** A model's choice of a speaker, with the speaker's number of finished turns and the thread's length at that time. */
export const SpeakerChoice = z.object({ speaker: z.string(), turns: z.number().int(), thread: z.number().int() });
export type SpeakerChoice = z.infer<typeof SpeakerChoice>;

/** The choice to store. */
export const choiceOf = (context: SelectionContext, speaker: string): SpeakerChoice => ({
  speaker,
  turns: turnsOf(context, speaker),
  thread: context.messages.length,
});

/**
 * True while the chosen speaker has not finished its turn, for example after an interrupt, and the user has not sent a
 * message to the team since. The same speaker is then selected again without asking the model.
 */
export function isUnfinished(context: SelectionContext, { speaker, turns, thread }: SpeakerChoice): boolean {
  if (!context.state.participants.some(({ name }) => name === speaker)) return false;
  const isUsers = userMessageTest(context);
  return (
    turnsOf(context, speaker) <= turns &&
    !context.messages.slice(thread).some((message) => isUsers(message) && !isDirectedMessage(message))
  );
}

const turnsOf = ({ state }: SelectionContext, speaker: string): number =>
  state.participants.find(({ name }) => name === speaker)?.turns ?? 0;
