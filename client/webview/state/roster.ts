import { computed } from "@preact/signals";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { Members } from "../text/participants.ts";
import { team } from "./page-state.ts";

/** Who is in a team and in the teams within it. */
export interface Roster extends Members {
  readonly inner: ReadonlyMap<string, Roster>;
}

let last: Roster = { participants: [], inner: new Map() };

/** Who is in the team, whatever they are doing: the same object until somebody comes or goes, so that rows need no redraw. */
export const roster = computed<Roster>(() => {
  const now = team.value;
  if (now === null) last = { participants: [], inner: new Map() };
  else if (!isOf(last, now)) last = rosterOf(now);
  return last;
});

/** Who is in the nested team that a path leads to; in the last one known on the way, where it leads nowhere. */
export function rosterAt(path: readonly string[]): Roster {
  let found = roster.value;
  for (const name of path) found = found.inner.get(name) ?? found;
  return found;
}

function rosterOf({ participants, inner = {} }: TeamState, around?: Members): Roster {
  const within = new Map<string, Roster>();
  const made: Roster = { participants, inner: within, ...(around === undefined ? {} : { parent: around }) };
  for (const [name, state] of Object.entries(inner)) within.set(name, rosterOf(state, made));
  return made;
}

function isOf({ participants, inner }: Roster, state: TeamState): boolean {
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
      return before !== undefined && isOf(before, within);
    })
  );
}
