import { computed } from "@preact/signals";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { otherUsers, type Roster, rosterOf } from "../../common/participants/team-roster.ts";
import { team, user } from "./page-state.ts";

const NONE: Roster = { participants: [], initials: new Map(), inner: new Map() };

let last = NONE;

/** The team's participants; the same object until they change, so that rows are not rendered again for an activity. */
export const roster = computed<Roster>(() => {
  const now = team.value;
  if (now === null) last = NONE;
  else if (!describes(last, now)) last = rosterOf(now, user.value);
  return last;
});

/** The participants of the nested team at a path; of the last known team on the path where it does not exist. */
export function rosterAt(path: readonly string[]): Roster {
  let found = roster.value;
  for (const name of path) found = found.inner.get(name) ?? found;
  return found;
}

function describes({ participants, former = [], inner, others }: Roster, state: TeamState): boolean {
  const teams = Object.entries(state.inner ?? {});
  return (
    state.participants.length === participants.length &&
    former.join() === (state.former ?? []).join() &&
    (others === undefined || [...others].join() === [...otherUsers(state, user.value)].join()) &&
    teams.length === inner.size &&
    state.participants.every((participant, index) => {
      const before = participants[index];
      return (
        participant.name === before?.name &&
        participant.kind === before.kind &&
        participant.description === before.description
      );
    }) &&
    teams.every(([name, within]) => {
      const before = inner.get(name);
      return before !== undefined && describes(before, within);
    })
  );
}
