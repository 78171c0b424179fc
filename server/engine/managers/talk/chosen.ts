import * as z from "zod";
import type { Floor } from "../manager.ts";
import { isDirected, userTest } from "./user-messages.ts";

/** A speaker that a model has chosen, and what there was then: how many turns it had finished, how many messages stood. */
export const Chosen = z.object({ speaker: z.string(), turns: z.number().int(), thread: z.number().int() });
export type Chosen = z.infer<typeof Chosen>;

/** The note of a choice. */
export const chosenNow = (floor: Floor, speaker: string): Chosen => ({
  speaker,
  turns: turnsOf(floor, speaker),
  thread: floor.messages.length,
});

/**
 * True while the chosen speaker has not finished the turn it was chosen for, as after an interrupt, and the user has said
 * nothing to the team since: it is then asked again, whatever the model would say now.
 */
export function isStillDue(floor: Floor, { speaker, turns, thread }: Chosen): boolean {
  if (!floor.state.participants.some(({ name }) => name === speaker)) return false;
  const isUsers = userTest(floor);
  return (
    turnsOf(floor, speaker) <= turns &&
    !floor.messages.slice(thread).some((message) => isUsers(message) && !isDirected(message))
  );
}

const turnsOf = ({ state }: Floor, speaker: string): number =>
  state.participants.find(({ name }) => name === speaker)?.turns ?? 0;
