import { computed } from "@preact/signals";
import { busyParticipants } from "../../common/nested-teams.ts";
import { team } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { Avatar } from "../ui/avatar.tsx";

/** Who is thinking, as JSON of each one's path with its name: those of whom nothing can be seen yet. */
const thinking = computed(() => {
  const now = team.value;
  if (now === null || now.status !== "running") return "[]";
  const names = busyParticipants(now).filter(({ activity }) => activity === "thinking");
  return JSON.stringify(names.map(({ path, name }) => [...path, name]));
});

/** Dots under the last message while somebody thinks, so that a silent team does not look like a dead one. */
export function ActivityRow() {
  const ways = JSON.parse(thinking.value) as readonly (readonly string[])[];
  if (ways.length === 0) return null;
  return (
    <div class="activity" aria-hidden="true">
      {ways.map((way) => (
        <Avatar key={way.join("/")} name={way.at(-1) ?? ""} members={rosterAt(way.slice(0, -1))} />
      ))}
      <span class="dots" />
    </div>
  );
}
