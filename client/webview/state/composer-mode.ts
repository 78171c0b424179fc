import { computed } from "@preact/signals";
import { budgetPause, team, trusted, userTurn } from "./page-state.ts";

/** What the composer can be used for now. */
export const composerMode = computed<
  "task" | "continue" | "running" | "awaitingTools" | "userTurn" | "budget" | "closed"
>(() => {
  const now = team.value;
  if (now === null || !trusted.value) return "closed";
  if (now.status === "running" || now.status === "interrupting") return "running";
  if (now.status === "awaitingTools") return "awaitingTools";
  if (userTurn.value !== null) return "userTurn";
  if (budgetPause.value !== null) return "budget";
  return now.status === "paused" ? "continue" : "task";
});
