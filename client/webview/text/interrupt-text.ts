import { countText } from "../../../shared/text/count-text.ts";
import { listText } from "../../../shared/text/list-text.ts";
import type { InterruptedTool, InterruptItem } from "../../common/timeline/items.ts";
import { secondsText } from "./format.ts";
import { causeName, type InterruptCause } from "./interrupt-cause.ts";

const pastVerbs = { pause: "interrupted", stop: "stopped", reset: "stopped and reset" } as const;
const whenSuffixes = { now: "", thought: " after this thought", turn: " after this turn" } as const;

/** What an interrupt did or is doing, in a few words. */
export function interruptText(item: InterruptItem, cause: InterruptCause): string {
  if (item.state !== "completed") return stoppingText(item);
  const by = causeName(cause);
  if (cause.kind === "departed") return `Paused: ${by}`;
  if (cause.kind === "shutdown" || cause.kind === "hostStopped") return `Interrupted: ${by}`;
  if (cause.kind === "rule") return `${capitalized(isOfCall(item) ? "stopped" : pastVerbs[item.severity])} by ${by}`;
  if (isOfCall(item)) return `${by} ${item.cancelled.length > 0 ? "cancelled" : "stopped"} a tool call`;
  return `${by} ${pastVerbs[item.severity]} ${item.speakers.length === 0 ? "the team" : listText(item.speakers)}`;
}

/** Said from a request to stop until the run has ended with the current turn. */
export const STOPS_AFTER_TURN = "Stops after this turn";

/** What an interrupt that is under way is stopping, and what it waits for. */
export function stoppingText({ grace, scope }: Pick<InterruptItem, "grace" | "scope">): string {
  if (scope !== undefined && "ref" in scope) return "Stopping a tool call…";
  return `Stopping${scope === undefined ? "" : ` ${scope.participant}`}${whenSuffixes[grace]}…`;
}

/**
 * The parts of a receipt's line: `kept 24 words from ann and 3 from bob`, then the outcome of each tool, then the message.
 * The participant is left out when it was the only one interrupted.
 */
export function receiptParts(item: InterruptItem): readonly string[] {
  const { partials, tools, message, speakers, cancelled } = item;
  const kept = partials.map(({ source, words }, index) => {
    const amount = index === 0 ? countText(words, "word") : String(words);
    return speakers.length === 1 && speakers[0] === source ? amount : `${amount} from ${source}`;
  });
  return [
    kept.length === 0 ? "" : `kept ${listText(kept)}`,
    tools.map(({ name, outcome }) => `${name} ${shortOutcomes[outcome]}`).join(", "),
    isOfCall(item) || cancelled.length === 0
      ? ""
      : `${countText(cancelled.length, "waiting tool call")} ${cancelled.length === 1 ? "was" : "were"} cancelled`,
    message ?? "",
  ].filter((part) => part !== "");
}

const shortOutcomes: Readonly<Record<InterruptedTool["outcome"], string>> = {
  stopped: "was stopped",
  effects: "may have had side effects",
  abandoned: "did not stop",
};

const longOutcomes: Readonly<Record<InterruptedTool["outcome"], string>> = {
  stopped: "stopped (it only reads)",
  effects: "stopped (it may have had side effects)",
  abandoned: "did not stop in time (its late result is kept)",
};

const resultingState = {
  pause: "You can continue the run",
  stop: "The thread is kept; the next task starts a new run",
  reset: "The thread is cleared",
} as const;

const graceTexts = { now: "immediately", thought: "after the thought", turn: "after the turn" } as const;

/** The whole receipt as names and values. */
export function receiptDetails(item: InterruptItem, cause: InterruptCause): readonly (readonly [string, string])[] {
  const { severity, speakers, tools, kept, took } = item;
  const details: [string, string][] = [requestedBy(item, cause)];
  if ((cause.kind === "rule" || cause.kind === "participant") && item.reason !== undefined)
    details.push(["Reason", item.reason]);
  if (speakers.length > 0 && !isOfCall(item)) details.push(["Interrupted", listText(speakers)]);
  for (const { name, participant, outcome } of tools)
    details.push([name, `called by ${participant}, ${longOutcomes[outcome]}`]);
  for (const { name, participant } of item.cancelled)
    details.push([name, `called by ${participant}, cancelled while it waited for you`]);
  if (kept !== undefined && !isOfCall(item)) {
    const queued = kept.queued === 0 ? [] : [countText(kept.queued, "waiting message")];
    const calls = kept.pendingTools === 0 ? [] : [countText(kept.pendingTools, "pending call")];
    details.push(["Kept", listText([countText(kept.messages, "message"), ...queued, ...calls])]);
  }
  if (took !== undefined) {
    const { acknowledged, quiesced } = took;
    details.push([
      "Took",
      `${durationText(quiesced)} until everything had stopped; nothing new started after ${durationText(acknowledged)}`,
    ]);
  }
  details.push([
    "Next",
    isOfCall(item) && item.cancelled.length === 0
      ? "The turn continues; the model sees that the call was stopped"
      : resultingState[severity],
  ]);
  return details;
}

function requestedBy(item: InterruptItem, cause: InterruptCause): [string, string] {
  const by = causeName(cause);
  if (cause.kind === "shutdown" || cause.kind === "hostStopped" || cause.kind === "departed")
    return ["Cause", capitalized(by)];
  return ["Requested by", isOfCall(item) ? by : `${by}, ${graceTexts[item.grace]}`];
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const durationText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : secondsText(milliseconds);

const isOfCall = ({ scope }: Pick<InterruptItem, "scope">): boolean => scope !== undefined && "ref" in scope;
