import type { DurableEvent } from "../../../shared/contract/event.ts";
import { BUDGET, HOST_STOPPED, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { RunStatus, TeamStatus } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { finishText } from "../../../shared/text/finish-text.ts";
import { waitsForOthers } from "../../common/people/approval-count.ts";
import { budgetText, userTurnOf } from "../../common/run-pause.ts";
import { lastRun } from "../../common/team-progress.ts";

/** The team's status in a word or two, as `user` reads it in the header; `events` are its last ones. */
export function statusText(team: TeamState, events: readonly DurableEvent[], user: string): string {
  const { status, interrupted, threadLength, lastStop } = team;
  if (userTurnOf(team) !== null) return "Your turn";
  if (hasFailed(team, events)) return "Failed";
  const statusTexts: Readonly<Record<TeamStatus, string>> = {
    idle: threadLength === 0 ? "Ready" : hasFinished(lastStop) ? "Finished" : "Idle",
    running: "Running",
    interrupting: "Stopping…",
    paused: interrupted ? "Interrupted" : lastStop === undefined ? "Ready" : "Paused",
    awaitingTools: waitsForOthers(team, user) ? "Waiting for others" : "Waiting for you",
  };
  return statusTexts[status];
}

/**
 * Why a run ended, to show to the user.
 * @param speaker who said what ended it, as it is shown; undefined when that is unknown.
 */
export function runEndText(stopReason: string | null, status: RunStatus, speaker?: string): string {
  if (status.reason === BUDGET) return `Paused: ${budgetText(stopReason)}`;
  if (status.reason === HOST_STOPPED) return "Interrupted: the agent host stopped · text kept";
  switch (stopReason) {
    case StopReason.userInterrupt:
      return "Interrupted · text kept";
    case StopReason.userMessageCompleted:
      return "Your message was answered";
    case StopReason.userMessageTimeout:
      return "No answer in time · text kept";
    case StopReason.toolInterrupt:
      return "A tool call is waiting for you";
    case StopReason.userInputRequested:
      return "Your turn";
    case StopReason.cancelled:
      return "Run cancelled";
    default:
      if (stoppedByUser(stopReason, status)) return "Stopped · text kept";
      if (status.code === "error") return status.message ?? stopReason ?? "The run failed";
      return finishText(stopReason, speaker);
  }
}

/** Whether the team does nothing because its last run failed. */
export function hasFailed({ status }: Pick<TeamState, "status">, events: readonly DurableEvent[]): boolean {
  return status === "idle" && lastRun(events) === "failed";
}

/** Whether the user ended a paused run. */
export function stoppedByUser(stopReason: string | null, { reason }: RunStatus): boolean {
  return stopReason === null && reason === "external_interrupt";
}

/** Whether the last run ended by itself: by a condition, a limit or its manager. */
function hasFinished(lastStop: string | null | undefined): boolean {
  return typeof lastStop === "string" && !HOST_STOPS.has(lastStop);
}

const HOST_STOPS: ReadonlySet<string> = new Set(Object.values(StopReason));
