import type { TeamStatus } from "../../shared/contract/team.ts";

/** When a message with the delivery `queue` is delivered, if its team has that status. */
export function queueTime(status: TeamStatus): string {
  return status === "idle" || status === "paused" ? "at the next run" : "after this run";
}
