import type { ReasoningReason, ReasoningStatus } from "../../shared/contract/reasoning.ts";
import { BUDGET, HOST_STOPPED, StopReason } from "../../shared/contract/stop-reasons.ts";
import type { RunStatus, TeamStatus } from "../../shared/contract/team.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { budgetText, userTurnOf } from "../common/run-pause.ts";
import type { ReasoningItem } from "../common/timeline/items.ts";

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

/** `alice`, `alice and bob`, `alice, bob and carol`. */
export function listOf(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const reasoningReasons: Readonly<Record<ReasoningReason, string>> = {
  timeout: "time is up",
  redirect: "another way is wanted",
  error: "something went wrong",
  user_request: "the user wishes it",
  resource_limit: "a limit is reached",
  other: "",
};

/** Who asked whom to interrupt their reasoning, and why. */
export function reasoningText({ to, reason, message }: ReasoningItem, from: string): string {
  const why = message ?? reasoningReasons[reason];
  return `${from} asked ${listOf(to)} to stop reasoning${why === "" ? "" : `: ${why}`}`;
}

const reasoningAnswers: Readonly<Record<ReasoningStatus, string>> = {
  stopping: "stops",
  completing_thought: "ends the thought first",
  continuing: "goes on",
  ignored: "is not bound to listen",
};

/** What each of those answered; empty before the first answer. */
export function answersText({ answers }: ReasoningItem): string {
  return answers.map(({ from, status }) => `${from} ${reasoningAnswers[status]}`).join(" · ");
}

/** `10:42`, in the reader's own way. */
export function timeOf(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "";
  return time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

/** How long ago, in words, for a list of stored teams. */
export function agoOf(at: string, now: number): string {
  const minutes = Math.round((now - new Date(at).getTime()) / 60_000);
  if (Number.isNaN(minutes)) return "";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return new Date(at).toLocaleDateString();
}

/** `1 message`, `3 messages`. */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString()} ${thing}${count === 1 ? "" : "s"}`;
}

/** Seconds without needless digits: `2 s`, `0.5 s`. */
export function secondsOf(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))} s`;
}
