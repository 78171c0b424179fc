import { BUDGET, HOST_STOPPED, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { RunStatus, TeamStatus } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { budgetText, userTurnOf } from "../../common/run-pause.ts";

/** The team's status in a word or two, for the header and for a screen reader. */
export function statusText(team: TeamState): string {
  const { status, interrupted, threadLength, lastStop } = team;
  const speaker = userTurnOf(team);
  if (speaker !== null) return `${speaker}'s turn`;
  const words: Readonly<Record<TeamStatus, string>> = {
    idle: threadLength === 0 ? "Ready" : "At rest",
    running: "At work",
    interrupting: "Stopping…",
    paused: interrupted ? "Interrupted" : lastStop === undefined ? "Ready" : "Paused",
    awaitingTools: "Waits for you",
  };
  return words[status];
}

/** Why a run ended, in human words; any text but the host's own names is that of the condition that fired. */
export function runEndText(stopReason: string | null, status: RunStatus): string {
  if (status.reason === BUDGET) return `Paused: ${budgetText(stopReason)}`;
  if (status.reason === HOST_STOPPED) return "The agent host stopped during this run; what was said is kept";
  switch (stopReason) {
    case StopReason.userInterrupt:
      return "Interrupted; what was said is kept";
    case StopReason.userMessageCompleted:
      return "Your message is answered";
    case StopReason.userMessageTimeout:
      return "No answer came in time; what was said so far is kept";
    case StopReason.toolInterrupt:
      return "A tool call waits for you";
    case StopReason.userInputRequested:
      return "It is your turn to speak";
    case StopReason.cancelled:
      return "Run cancelled";
    default:
      if (stoppedByUser(stopReason, status)) return "Stopped; what was said is kept";
      if (status.code === "error") return status.message ?? stopReason ?? "The run failed";
      return stopReason === null || stopReason === "" ? "Run ended" : `Run ended: ${stopReason.replace(/\.$/, "")}`;
  }
}

/** Whether a paused run was ended by the user. */
export function stoppedByUser(stopReason: string | null, { reason }: RunStatus): boolean {
  return stopReason === null && reason === "external_interrupt";
}
