import { computed } from "@preact/signals";
import { Avatar } from "./avatar.tsx";
import { team } from "./page-state.ts";

/** Who is thinking: those of whom nothing can be seen yet. */
const thinking = computed(() => {
  const now = team.value;
  if (now === null || now.status !== "running") return "";
  return now.participants
    .filter(({ activity }) => activity === "thinking")
    .map(({ name }) => name)
    .join("\n");
});

/** Dots under the last message while somebody thinks, so that a silent team does not look like a dead one. */
export function ActivityRow() {
  if (thinking.value === "") return null;
  const names = thinking.value.split("\n");
  return (
    <div class="activity" aria-hidden="true">
      {names.map((name) => (
        <Avatar key={name} name={name} />
      ))}
      <span class="dots" />
    </div>
  );
}
