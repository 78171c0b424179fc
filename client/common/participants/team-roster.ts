import { ownValue } from "../../../shared/json-record.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { LOCAL_USER_ID } from "../user-id.ts";
import { Initials } from "./initials.ts";
import type { Members } from "./participants.ts";

/** The participants of a team and of its nested teams. */
export interface Roster extends Members {
  readonly inner: ReadonlyMap<string, Roster>;
}

type TeamParticipants = Pick<TeamState, "participants" | "inner" | "former" | "people">;

/** The users of a team but this one, by id. A name that could be taken for somebody else's has the id with it. */
export function otherUsers(
  { people = [], participants }: Pick<TeamParticipants, "people" | "participants">,
  user: string,
): ReadonlyMap<string, string> {
  const taken = new Set(["you", ...participants.map(({ name }) => name.toLowerCase())]);
  const named = people
    .filter(({ id }) => id !== user)
    .map(({ id, name }) => ({ id, name: visibleText(name).text, key: name.trim().toLowerCase() }));
  return new Map(
    named.map(({ id, name, key }) => {
      const isTaken = taken.has(key) || named.some((other) => other.id !== id && other.key === key);
      return [id, isTaken ? `${name} (${visibleText(id).text})` : name];
    }),
  );
}

/**
 * The roster of a team and of its nested teams, as `user` sees it. Within all of it, no two participants have the same
 * initials.
 */
export const rosterOf = (team: TeamParticipants, user = LOCAL_USER_ID): Roster =>
  rosterWithin(team, { user, others: otherUsers(team, user) }, new Initials());

function rosterWithin(
  team: TeamParticipants,
  around: Pick<Roster, "user" | "others" | "parent">,
  chosen: Initials,
): Roster {
  const { participants, inner, former } = team;
  const initials = new Map<string, string>();
  const within = new Map<string, Roster>();
  const made: Roster = { participants, former, initials, inner: within, ...around };
  for (const { name, kind } of participants) {
    if (kind !== "user") initials.set(name, chosen.next(name));
    const nested = ownValue(inner, name);
    if (nested !== undefined) within.set(name, rosterWithin(nested, { parent: made }, chosen));
  }
  for (const name of former ?? []) initials.set(name, chosen.next(name));
  return made;
}
