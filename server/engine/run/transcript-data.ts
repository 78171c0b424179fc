import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { editedMessage } from "../../../shared/state/cut-message.ts";
import { conditionInputOf } from "../conditions/condition-input.ts";
import { type ConditionInput, isMessage } from "../conditions/termination-condition.ts";
import { type ContextSize, ContextTotals } from "../context/context-totals.ts";
import { ModelProgressTracker } from "../context/model-progress.ts";
import type { ToolStep } from "../context/tool-step.ts";
import { entryOf } from "../context/transcript-entry.ts";
import { type ResultEntry, toolStepOf } from "../context/transcript-groups.ts";
import { isHidden } from "../context/user-message.ts";

/** How many entries are counted at a time, and how many tokens: after that many, no further entry. */
const MAX_COUNTED = 1_000;
const MAX_TOKENS = 500_000;

/** What a {@link Transcript} is made of, and how each event changes it. */
export interface TranscriptData {
  entries: TranscriptEntry[];
  messages: ChatMessage[];
  /** True when a message is visible to its target only. */
  hasHidden: boolean;
  results: Map<string, ResultEntry>;
  callNames: Map<string, string>;
  /** The calls without a result, each with the index of the entry that requested it. */
  open: Map<string, number>;
  /** The number of entries when each open turn started. */
  turnStarts: Map<string, number>;
  conditionInput: ConditionInput[];
  progress: ModelProgressTracker;
  totals: ContextTotals;
  /** How many of the entries are counted in `totals`. */
  counted: number;
}

export const emptyTranscript = (): TranscriptData => ({
  entries: [],
  messages: [],
  hasHidden: false,
  results: new Map(),
  callNames: new Map(),
  open: new Map(),
  turnStarts: new Map(),
  conditionInput: [],
  progress: new ModelProgressTracker(),
  totals: new ContextTotals(),
  counted: 0,
});

export function applyEvent(to: TranscriptData, event: TeamEvent): void {
  const input = conditionInputOf(event);
  if (input !== undefined) to.conditionInput.push(input);
  if (event.path !== undefined) return;
  switch (event.type) {
    case "message/added":
    case "tool/requested":
    case "tool/executed":
      addEntry(to, entryOf(event));
      break;
    case "message/edited":
      editMessage(to, event.messageId, event.content);
      break;
    case "message/dropped":
      editMessage(to, event.messageId, null);
      break;
    case "model/asked":
      to.progress.addUnseen(event.by);
      break;
    case "reasoning/start":
      to.turnStarts.set(event.id, to.entries.length);
      break;
    case "reasoning/conclusion":
      for (const id of event.correlation_id) to.turnStarts.delete(id);
      break;
    case "team/reset":
      Object.assign(to, emptyTranscript());
      break;
    case "state/loaded":
      Object.assign(to, emptyTranscript());
      for (const entry of event.state.transcript) {
        addEntry(to, entry);
        const counted = conditionInputOfEntry(entry, to.callNames);
        if (counted !== undefined) to.conditionInput.push(counted);
      }
      if (event.state.spent !== undefined) to.conditionInput.push({ type: "Carried", ...event.state.spent });
      for (const [by, count] of Object.entries(event.state.asked ?? {})) to.progress.addUnseen(by, count);
      for (const { id, participant } of event.state.openTurns)
        to.turnStarts.set(id, indexAfterLastMessage(participant, to.entries));
      break;
    default:
  }
}

/** The input of the last `count` messages, of what happened among them and after them, and of what began with them. */
export function inputOfLast(count: number, input: readonly ConditionInput[]): ConditionInput[] {
  let missing = count;
  let from = input.length;
  while (from > 0 && missing > 0) {
    from--;
    const one = input[from];
    if (one !== undefined && isMessage(one)) missing--;
  }
  while (isOpening(input[from - 1])) from--;
  return input.slice(from);
}

/** A run's start, and what a loaded state carries, come before the messages that they count with. */
const isOpening = (input: ConditionInput | undefined): boolean =>
  input?.type === "RunStarted" || input?.type === "Carried";

/**
 * The size of the whole conversation for a participant. Entries are counted when it is first needed, each once.
 * Undefined when the totals are not exact.
 */
export function conversationSize(of: TranscriptData, participant: string): ContextSize | undefined {
  while (countPart(of));
  return of.totals.sizeFor(participant);
}

/** Counts some of the entries that are not counted yet, in a few milliseconds. Returns whether there are more. */
export function countPart(of: TranscriptData): boolean {
  const end = Math.min(of.entries.length, of.counted + MAX_COUNTED);
  for (let tokens = 0; of.counted < end && tokens < MAX_TOKENS; of.counted++) {
    const entry = of.entries[of.counted];
    if (entry !== undefined) tokens += of.totals.add(entry);
  }
  return of.counted < of.entries.length;
}

function addEntry(to: TranscriptData, entry: TranscriptEntry): void {
  if (entry.kind === "message") {
    to.messages.push(entry.message);
    to.hasHidden ||= isHidden(entry.message);
  } else if (entry.kind === "calls") {
    for (const { ref, name } of entry.calls) {
      to.callNames.set(ref, name);
      to.open.set(ref, to.entries.length);
    }
  } else {
    to.results.set(entry.ref, entry);
    to.open.delete(entry.ref);
  }
  to.entries.push(entry);
  to.progress.add(entry);
}

/** Replaces the text of a partial message, or removes the message if `content` is null. */
function editMessage(to: TranscriptData, messageId: string, content: string | null): void {
  const at = to.entries.findLastIndex((entry) => entry.kind === "message" && entry.message.id === messageId);
  const entry = to.entries[at];
  if (entry?.kind !== "message") return;
  const { message } = entry;
  to.progress.rewrite(message, content ?? "");
  const next = content === null ? [] : [editedMessage(message, content)];
  if (at < to.counted) to.totals.replace(message, next[0]);
  if (at < to.counted && content === null) to.counted--;
  to.entries.splice(at, 1, ...next.map((edited) => ({ kind: "message" as const, message: edited })));
  to.messages.splice(to.messages.lastIndexOf(message), 1, ...next);
  to.conditionInput.splice(to.conditionInput.lastIndexOf(message), 1, ...next);
  if (content !== null) return;
  for (const places of [to.open, to.turnStarts]) {
    for (const [key, place] of places) if (place > at) places.set(key, place - 1);
  }
}

/**
 * The tool steps of `participant` in its turn so far, oldest first. Steps of an interrupted turn come before them, unless
 * someone spoke in between, as the turn continues from there. `isWhole` says whether all entries were read; undefined when
 * one that was not is needed.
 */
export function stepsIn(
  { entries, results, turnStarts }: TranscriptData,
  { participant, turnId }: { readonly participant: string; readonly turnId: string },
  isWhole: boolean,
): ToolStep[] | undefined {
  const known = turnStarts.get(turnId);
  if (known === undefined && !isWhole) return undefined;
  const start = known ?? entries.length;
  const steps: ToolStep[] = [];
  let from = 0;
  let at = entries.length - 1;
  for (; at >= from; at--) {
    const entry = entries[at];
    if (entry?.kind === "message" && endsTurnOf(entry.message, participant)) break;
    if (entry?.kind === "message" && entry.message.source !== participant) from = start;
    if (entry?.kind !== "calls" || entry.participant !== participant) continue;
    const step = toolStepOf(entry, results);
    steps.push(at < start ? { ...step, earlier: true } : step);
  }
  return at < 0 && !isWhole ? undefined : steps.reverse();
}

/** True for a message that ends a turn of `participant`: one of its own that is not partial, nor sent to someone. */
const endsTurnOf = ({ source, partial, metadata }: ChatMessage, participant: string): boolean =>
  source === participant && partial !== true && metadata?.["to"] === undefined;

/** The index after the last complete message of `participant`. */
function indexAfterLastMessage(participant: string, entries: readonly TranscriptEntry[]): number {
  return 1 + entries.findLastIndex((entry) => entry.kind === "message" && endsTurnOf(entry.message, participant));
}

function conditionInputOfEntry(
  entry: TranscriptEntry,
  callNames: ReadonlyMap<string, string>,
): ConditionInput | undefined {
  if (entry.kind === "message") return entry.message;
  if (entry.kind === "calls") return undefined;
  return { type: "ToolExecution", name: callNames.get(entry.ref) ?? "", isError: entry.isError };
}
