import * as z from "zod";
import type { SelectionContext } from "../manager.ts";
import { isDirectedMessage, userMessageTest } from "./user-messages.ts";

/** A speaker that a model has chosen, and what there was then: how many turns it had finished, how many messages stood. */
export const SpeakerChoice = z.object({ speaker: z.string(), turns: z.number().int(), thread: z.number().int() });
export type SpeakerChoice = z.infer<typeof SpeakerChoice>;

/** The note of a choice. */
export const choiceOf = (floor: SelectionContext, speaker: string): SpeakerChoice => ({
  speaker,
  turns: turnsOf(floor, speaker),
  thread: floor.messages.length,
});

/**
 * True while the chosen speaker has not finished the turn it was chosen for, as after an interrupt, and the user has said
 * nothing to the team since: it is then asked again, whatever the model would say now.
 */
export function isUnfinished(floor: SelectionContext, { speaker, turns, thread }: SpeakerChoice): boolean {
  if (!floor.state.participants.some(({ name }) => name === speaker)) return false;
  const isUsers = userMessageTest(floor);
  return (
    turnsOf(floor, speaker) <= turns &&
    !floor.messages.slice(thread).some((message) => isUsers(message) && !isDirectedMessage(message))
  );
}

const turnsOf = ({ state }: SelectionContext, speaker: string): number =>
  state.participants.find(({ name }) => name === speaker)?.turns ?? 0;
