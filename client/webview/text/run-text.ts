import { BUDGET, HOST_STOPPED, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { RunStatus, TeamStatus } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { budgetText, userTurnOf } from "../../common/run-pause.ts";

/** The team's status in a word or two, for the header and screen readers. */
export function statusText(team: TeamState): string {
  const { status, interrupted, threadLength, lastStop } = team;
  if (userTurnOf(team) !== null) return "Your turn";
  const statusTexts: Readonly<Record<TeamStatus, string>> = {
    idle: threadLength === 0 ? "Ready" : "Idle",
    running: "Running",
    interrupting: "Stopping…",
    paused: interrupted ? "Interrupted" : lastStop === undefined ? "Ready" : "Paused",
    awaitingTools: "Waiting for you",
  };
  return statusTexts[status];
}

/** Why a run ended, to show to the user. A stop reason that the host does not define comes from a termination condition. */
export function runEndText(stopReason: string | null, status: RunStatus): string {
  if (status.reason === BUDGET) return `Paused: ${budgetText(stopReason)}`;
  if (status.reason === HOST_STOPPED) return "The agent host stopped during this run; partial messages are kept";
  switch (stopReason) {
    case StopReason.userInterrupt:
      return "Interrupted; partial messages are kept";
    case StopReason.userMessageCompleted:
      return "Your message was answered";
    case StopReason.userMessageTimeout:
      return "No answer in time; partial messages are kept";
    case StopReason.toolInterrupt:
      return "A tool call is waiting for you";
    case StopReason.userInputRequested:
      return "Your turn";
    case StopReason.cancelled:
      return "Run cancelled";
    default:
      if (stoppedByUser(stopReason, status)) return "Stopped; partial messages are kept";
      if (status.code === "error") return status.message ?? stopReason ?? "The run failed";
      return stopReason === null || stopReason === "" ? "Run ended" : `Run ended: ${stopReason.replace(/\.$/, "")}`;
  }
}

/** Whether the user ended a paused run. */
export function stoppedByUser(stopReason: string | null, { reason }: RunStatus): boolean {
  return stopReason === null && reason === "external_interrupt";
}
