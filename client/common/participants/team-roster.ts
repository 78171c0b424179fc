import { ownValue } from "../../../shared/json-record.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { Initials } from "./initials.ts";
import type { Members } from "./participants.ts";

/** The participants of a team and of its nested teams. */
export interface Roster extends Members {
  readonly inner: ReadonlyMap<string, Roster>;
}

type TeamParticipants = Pick<TeamState, "participants" | "inner" | "former">;

/** The roster of a team and of its nested teams. Within all of it, no two participants have the same initials. */
export function rosterOf(team: TeamParticipants, parent?: Members, chosen = new Initials()): Roster {
  const { participants, inner, former } = team;
  const initials = new Map<string, string>();
  const within = new Map<string, Roster>();
  const made: Roster = { participants, former, initials, inner: within, ...(parent === undefined ? {} : { parent }) };
  for (const { name, kind } of participants) {
    if (kind !== "user") initials.set(name, chosen.next(name));
    const nested = ownValue(inner, name);
    if (nested !== undefined) within.set(name, rosterOf(nested, made, chosen));
  }
  for (const name of former ?? []) initials.set(name, chosen.next(name));
  return made;
}
