import { listText } from "../../common/list-text.ts";
import type { InterruptedTool, InterruptItem } from "../../common/timeline/items.ts";
import { countText, secondsText } from "./format.ts";

const pastVerbs = { pause: "interrupted", stop: "stopped", reset: "stopped and reset" } as const;
const whenSuffixes = { now: "", thought: " after this thought", turn: " after this turn" } as const;

/** What an interrupt did, or is about to do, in a few words. `by` is "You" for the user. */
export function interruptText(item: InterruptItem, by: string): string {
  if (item.state !== "completed") return stoppingText(item);
  if (isOfCall(item)) return `${by} cut a tool call short`;
  return `${by} ${pastVerbs[item.severity]} ${item.speakers.length === 0 ? "the team" : listText(item.speakers)}`;
}

/** What an interrupt is waiting for. */
export function stoppingText({ grace, scope }: Pick<InterruptItem, "grace" | "scope">): string {
  if (scope !== undefined && "ref" in scope) return "Cutting a tool call short…";
  return `Stopping${scope === undefined ? "" : ` ${scope.participant}`}${whenSuffixes[grace]}…`;
}

/**
 * `kept 24 words of ann and 3 of bob`, and what became of the tools. Whose words they are is left out where only that one was
 * interrupted; parts that say nothing are left out too.
 */
export function receiptParts({ partials, tools, message, speakers }: InterruptItem): readonly string[] {
  const kept = partials.map(({ source, words }, index) => {
    const amount = index === 0 ? countText(words, "word") : String(words);
    return speakers.length === 1 && speakers[0] === source ? amount : `${amount} of ${source}`;
  });
  return [
    kept.length === 0 ? "" : `kept ${listText(kept)}`,
    tools.map(({ name, outcome }) => `${name} ${shortOutcomes[outcome]}`).join(", "),
    message ?? "",
  ].filter((part) => part !== "");
}

const shortOutcomes: Readonly<Record<InterruptedTool["outcome"], string>> = {
  stopped: "was cut",
  effects: "may have had effects",
  abandoned: "did not stop",
};

const longOutcomes: Readonly<Record<InterruptedTool["outcome"], string>> = {
  stopped: "cut short; it only reads",
  effects: "cut short, and may have had effects already",
  abandoned: "did not stop in time; its late result is kept",
};

const resultingState = {
  pause: "The run can go on where it stood",
  stop: "The thread is kept; the next task begins anew",
  reset: "The thread is emptied",
} as const;

const graceTexts = { now: "at once", thought: "after the thought", turn: "after the turn" } as const;

/** All that a receipt says, as names and values. */
export function receiptDetails(item: InterruptItem, by: string): readonly (readonly [string, string])[] {
  const { grace, severity, speakers, tools, kept, took } = item;
  const details: [string, string][] = [["Asked by", isOfCall(item) ? by : `${by}, to stop ${graceTexts[grace]}`]];
  if (speakers.length > 0 && !isOfCall(item)) details.push(["Cut short", listText(speakers)]);
  for (const { name, participant, outcome } of tools)
    details.push([name, `of ${participant}, ${longOutcomes[outcome]}`]);
  if (kept !== undefined && !isOfCall(item)) {
    const waits = kept.queued === 0 ? [] : [`${countText(kept.queued, "message")} waiting`];
    const calls = kept.pendingTools === 0 ? [] : [`${countText(kept.pendingTools, "call")} to rule on`];
    details.push(["Kept", listText([countText(kept.messages, "message"), ...waits, ...calls])]);
  }
  if (took !== undefined) {
    const { acknowledged, quiesced } = took;
    details.push([
      "Took",
      `${durationText(quiesced)} to come to rest; nothing new began after ${durationText(acknowledged)}`,
    ]);
  }
  details.push(["Now", isOfCall(item) ? "The turn goes on with a result that says so" : resultingState[severity]]);
  return details;
}

const durationText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : secondsText(milliseconds);

const isOfCall = ({ scope }: Pick<InterruptItem, "scope">): boolean => scope !== undefined && "ref" in scope;
