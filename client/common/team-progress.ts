import type { DurableEvent } from "../../shared/contract/event.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { budgetPauseOf, userTurnOf } from "./run-pause.ts";

/** How far a team is, for a list of teams. */
export type TeamProgress =
  | "idle"
  | "running"
  | "approval"
  | "question"
  | "yourTurn"
  | "paused"
  | "interrupted"
  | "finished"
  | "failed";

/** What users read. */
export const progressText: Readonly<Record<TeamProgress, string>> = {
  idle: "Idle",
  running: "Running",
  approval: "Approval needed",
  question: "Question for you",
  yourTurn: "Your turn",
  paused: "Paused",
  interrupted: "Interrupted",
  finished: "Finished",
  failed: "Failed",
};

/** The icon of each, by its name in VS Code's set. */
export const progressIcon = {
  idle: "circle-outline",
  running: "loading",
  approval: "bell-dot",
  question: "question",
  yourTurn: "account",
  paused: "debug-pause",
  interrupted: "debug-pause",
  finished: "pass",
  failed: "error",
} as const satisfies Readonly<Record<TeamProgress, string>>;

/** Whether the team does nothing until the user has done something about it. */
export function needsUser(progress: TeamProgress): boolean {
  return progress === "approval" || progress === "question" || progress === "yourTurn";
}

/** How far a team is; `tail` is its last events, as the state alone does not have how its last run ended. */
export function progressOf(
  team: Pick<TeamSnapshot, "status" | "pendingTools" | "awaitingUser">,
  tail: readonly DurableEvent[],
): TeamProgress {
  const { status, pendingTools } = team;
  if (pendingTools.length > 0) return pendingTools.some(({ approval }) => approval === true) ? "approval" : "question";
  if (status === "running" || status === "interrupting" || status === "awaitingTools") return "running";
  if (userTurnOf(team) !== null) return "yourTurn";
  if (budgetPauseOf(team, tail) !== null) return "paused";
  return lastRun(tail);
}

/** How the last run ended, by the team's last events. */
export function lastRun(tail: readonly DurableEvent[]): TeamProgress {
  const last = tail.findLast(({ type, path }) => path === undefined && ENDS.has(type));
  if (last?.type !== "run/ended") return "idle";
  switch (last.status.code) {
    case "success":
      return "finished";
    case "error":
      return "failed";
    case "interrupted":
    case "cancelled":
      return "interrupted";
  }
}

const ENDS: ReadonlySet<DurableEvent["type"]> = new Set(["run/ended", "team/reset", "state/loaded"]);
