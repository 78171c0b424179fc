import { computed } from "@preact/signals";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { Members } from "../text/participants.ts";
import { team } from "./page-state.ts";

/** The participants of a team and of its nested teams. */
export interface Roster extends Members {
  readonly inner: ReadonlyMap<string, Roster>;
}

let last: Roster = { participants: [], inner: new Map() };

/** The team's participants; the same object until they change, so that rows are not rendered again for an activity. */
export const roster = computed<Roster>(() => {
  const now = team.value;
  if (now === null) last = { participants: [], inner: new Map() };
  else if (!describes(last, now)) last = rosterOf(now);
  return last;
});

/** The participants of the nested team at a path; of the last known team on the path where it does not exist. */
export function rosterAt(path: readonly string[]): Roster {
  let found = roster.value;
  for (const name of path) found = found.inner.get(name) ?? found;
  return found;
}

function rosterOf({ participants, inner = {} }: TeamState, parent?: Members): Roster {
  const within = new Map<string, Roster>();
  const made: Roster = { participants, inner: within, ...(parent === undefined ? {} : { parent }) };
  for (const [name, state] of Object.entries(inner)) within.set(name, rosterOf(state, made));
  return made;
}

function describes({ participants, inner }: Roster, state: TeamState): boolean {
  const teams = Object.entries(state.inner ?? {});
  return (
    state.participants.length === participants.length &&
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
