import type { Place } from "./find-messages.ts";

/** The last message that was given: those that follow it come next. */
export interface FindCursor {
  /** The first round gives the last messages of each team, the second one the others. */
  readonly round: 1 | 2;
  /** Whether the first round has passed a team that has others. */
  readonly hasOthers: boolean;
  /** When its team was last used: see the table `uses`. */
  readonly use: number;
  readonly place: Place;
}

/** Five numbers, of which a client needs to know nothing. */
export const cursorText = ({ round, hasOthers, use, place }: FindCursor): string =>
  [round, hasOthers ? 1 : 0, use, place.seq, place.entry].join(".");

/** The cursor of a text that {@link cursorText} made, as the schema of `team/find` makes sure. */
export function readCursor(text: string): FindCursor {
  const [round = 1, hasOthers = 0, use = 0, seq = 0, entry = 0] = text.split(".").map(Number);
  return { round: round === 1 ? 1 : 2, hasOthers: hasOthers === 1, use, place: { seq, entry } };
}
