import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ChatMessage } from "../../shared/contract/message.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import { BUDGET, HOST_STOPPED, StopReason } from "../../shared/contract/stop-reasons.ts";
import type { InterruptReceipt } from "../../shared/contract/team.ts";
import { countText } from "../../shared/text/count-text.ts";
import { finishText } from "../../shared/text/finish-text.ts";
import { listText } from "../../shared/text/list-text.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";
import { usageText } from "../../shared/text/usage-text.ts";
import type { CallEnd } from "./look.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

/** Beside the name of who wrote a message. */
export function messageNote({ type, metadata, partial }: ChatMessage): string {
  const to = metadata?.["to"];
  const notes = [
    ...(type === "UserTextMessage" && typeof to === "string" ? [`to ${to}`] : []),
    ...(partial === true ? ["(interrupted)"] : []),
  ];
  return notes.join(" ");
}

/** The text of a message; structured content is its JSON. */
export const messageText = (message: ChatMessage): string => textOf(message);

/** How a call ended, in a word or two. */
export function callEnd({ isError, interrupted, exit, output, reviewed }: EventOf<"tool/executed">): CallEnd {
  if (interrupted === true) return { how: "cut", text: "interrupted" };
  if (reviewed === "withheld") return { how: "cut", text: "result withheld" };
  if (reviewed === "edited") return { how: isError ? "failed" : "done", text: "result edited" };
  if (exit !== undefined) {
    if ("timedOut" in exit) return { how: "failed", text: "time is up" };
    if ("signal" in exit) return { how: "failed", text: exit.signal };
    return exit.code === 0 ? { how: "done", text: "" } : { how: "failed", text: `exit code ${exit.code}` };
  }
  if (!isError) return { how: "done", text: "" };
  return { how: "failed", text: (typeof output === "string" ? output : JSON.stringify(output ?? "")).slice(0, 300) };
}

/** Why a run ended, as a sentence without its period; undefined where a question to the user follows. */
export function runEndText({ stopReason, status }: EventOf<"run/ended">): string | undefined {
  if (status.reason === BUDGET) return `Paused: ${stopReason ?? "a budget is used up"}`.replace(/\.$/, "");
  if (status.reason === HOST_STOPPED) return "Interrupted: the agent host stopped";
  if (status.code === "error") return `Failed: ${status.message ?? stopReason ?? "the run failed"}`.replace(/\.$/, "");
  switch (stopReason) {
    case StopReason.toolInterrupt:
    case StopReason.userInputRequested:
    // A receipt follows.
    case StopReason.userInterrupt:
      return undefined;
    case StopReason.userMessageTimeout:
      return "No answer in time; the text so far is kept";
    case StopReason.userMessageCompleted:
      return "Your message was answered";
    case StopReason.cancelled:
      return "Cancelled";
    default:
      return status.code === "success" ? finishText(stopReason) : `Stopped: ${stopReason ?? status.code}`;
  }
}

/** What a run used, to follow its end. */
export const usageNote = (usage: EventOf<"run/ended">["usage"]): string => (usage.total === 0 ? "" : usageText(usage));

/** What an interrupt stopped and kept, as a sentence without its period. */
export function receiptText({
  partials,
  stopped,
  abandonedTools,
  kept,
  severity,
  wasRunning,
}: InterruptReceipt): string {
  if (!wasRunning) return "Nothing was running";
  const words = kept?.words ?? 0;
  const sources = [...new Set(partials.map(({ source }) => source))];
  const keptText = words === 0 ? [] : [`${countText(words, "word")} of ${listText(sources)} kept`];
  const left = abandonedTools.map(({ name, path, participant }) => `${name} of ${participantPath(path, participant)}`);
  const effects = (stopped?.tools ?? []).filter(
    ({ ref, mayHaveHadEffects }) => mayHaveHadEffects && abandonedTools.every((tool) => tool.ref !== ref),
  );
  const parts = [
    severity === "pause" ? "Interrupted" : "Stopped",
    ...keptText,
    ...(left.length === 0 ? [] : [`${listText(left)} did not stop in time and may still run`]),
    ...effects.map(({ name }) => `${name} may already have had effects`),
  ];
  return parts.join(" · ");
}
