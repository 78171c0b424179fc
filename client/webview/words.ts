import type { RunStatus, TeamStatus } from "../../shared/contract/team.ts";
import { HOST_STOPPED, StopReason } from "../../shared/stop-reasons.ts";
import type { TeamState } from "../../shared/team-state.ts";
import type { InterruptItem } from "../../shared/timeline-items.ts";

/** The team's status in a word or two, for the header and for a screen reader. */
export function statusText({ status, interrupted, threadLength, lastStop }: TeamState): string {
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
    case StopReason.cancelled:
      return "Run cancelled";
    default:
      if (status.code === "error") return status.message ?? stopReason ?? "The run failed";
      return stopReason === null || stopReason === "" ? "Run ended" : `Run ended: ${stopReason.replace(/\.$/, "")}`;
  }
}

/** `alice`, `alice and bob`, `alice, bob and carol`. */
export function listOf(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export function interruptText(item: InterruptItem, byUser: boolean): string {
  const who = byUser ? "You" : item.by;
  const whom = item.speakers.length === 0 ? "the team" : listOf(item.speakers);
  const did = { pause: "interrupted", stop: "stopped", reset: "stopped and reset" }[item.severity];
  return item.state === "completed" ? `${who} ${did} ${whom}` : `${who} asked ${whom} to stop`;
}

/** What an interrupt kept and what it could not stop; empty when there is nothing to say. */
export function keptText({ state, keptWords, abandoned, message }: InterruptItem): string {
  if (state !== "completed") return "";
  const words = keptWords === 1 ? "1 word kept" : keptWords > 0 ? `${keptWords} words kept` : "";
  const tools = abandoned.length === 0 ? "" : `${listOf(abandoned)} did not stop in time`;
  return [words, tools, message ?? ""].filter((part) => part !== "").join(" · ");
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

/** 12,345 tokens as `12.3k`. */
export function shortNumber(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** Seconds without needless digits: `2 s`, `0.5 s`. */
export function secondsOf(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))} s`;
}
