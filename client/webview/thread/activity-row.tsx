import { computed } from "@preact/signals";
import { busyParticipants } from "../../common/nested-teams.ts";
import { team } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { Avatar } from "../ui/avatar.tsx";

/** The path with the name of each participant that is thinking, as JSON: those that show nothing else yet. */
const thinking = computed(() => {
  const now = team.value;
  if (now === null || now.status !== "running") return "[]";
  const names = busyParticipants(now).filter(({ activity }) => activity === "thinking");
  return JSON.stringify(names.map(({ path, name }) => [...path, name]));
});

/** Dots below the last message while a participant is thinking. */
export function ActivityRow() {
  const paths = JSON.parse(thinking.value) as readonly (readonly string[])[];
  if (paths.length === 0) return null;
  return (
    <div class="activity" aria-hidden="true">
      {paths.map((path) => (
        <Avatar key={path.join("/")} name={path.at(-1) ?? ""} members={rosterAt(path.slice(0, -1))} />
      ))}
      <span class="dots" />
    </div>
  );
}
