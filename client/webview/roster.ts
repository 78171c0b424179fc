import { computed } from "@preact/signals";
import { team } from "./page-state.ts";
import type { Members } from "./people.ts";

let last: Members = { participants: [] };

/** Who is in the team, whatever they are doing: the same object until somebody comes or goes, so that rows need no redraw. */
export const roster = computed<Members>(() => {
  const participants = team.value?.participants ?? [];
  const same =
    participants.length === last.participants.length &&
    participants.every((participant, index) => {
      const before = last.participants[index];
      return (
        participant.name === before?.name &&
        participant.kind === before.kind &&
        participant.description === before.description
      );
    });
  if (!same) last = { participants };
  return last;
});
