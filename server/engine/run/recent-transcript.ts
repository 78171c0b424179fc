import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import { type ConditionInput, isMessage } from "../conditions/termination-condition.ts";
import { AWAITING_DECISION, type ItemGroup, type ItemGroups } from "../context/item-groups.ts";
import { contextItems } from "../context/model-context.ts";
import { type ShownContext, shownContext } from "../context/shown-context.ts";
import type { ToolStep } from "../context/tool-step.ts";
import { TranscriptGroups } from "../context/transcript-groups.ts";
import type { RecentHistory } from "../log/history.ts";
import type { HistoryTotals } from "../log/history-totals.ts";
import type { ContextItem, ModelProgress } from "../model.ts";
import { applyEvent, emptyTranscript, inputOfLast, stepsIn, type TranscriptData } from "./transcript-data.ts";

/** The beginning and the end of a transcript whose middle has not been read, and the size of all of it. */
export class RecentTranscript {
  readonly #history: RecentHistory;
  readonly #totals: HistoryTotals;
  readonly #end = emptyTranscript();
  #start: TranscriptData | undefined;

  /** `unread` are events that may be in the history or not. */
  constructor(history: RecentHistory, unread: readonly DurableEvent[]) {
    this.#history = history;
    this.#totals = history.totals;
    for (const event of history.events) applyEvent(this.#end, event);
    const last = history.later.at(-1)?.seq ?? history.until;
    for (const event of [...history.later, ...unread.filter(({ seq }) => seq > last)]) this.add(event);
  }

  /** Adds an event that has happened since. */
  add(event: DurableEvent): void {
    applyEvent(this.#end, event);
    this.#totals.add(event);
  }

  /** Undefined when the part that was not read is needed. */
  shownTo(participant: string, context: ContextDefinition | undefined): ShownContext | undefined {
    const size = this.#totals.totals.sizeFor(participant);
    if (size === undefined) return undefined;
    return this.#from(participant, (groups) => shownContext(groups, size, context));
  }

  /** What the model of `participant` is shown. Undefined when the part that was not read is needed. */
  itemsFor(participant: string, context: ContextDefinition | undefined): ContextItem[] | undefined {
    return this.#from(participant, (groups) => contextItems(groups, context));
  }

  /** See {@link stepsIn}. */
  stepsOf(participant: string, turnId: string): ToolStep[] | undefined {
    return stepsIn(this.#end, { participant, turnId }, this.#isWhole);
  }

  /** The progress of the model of `name`; undefined when it is not known. */
  progressOf(name: string): ModelProgress | undefined {
    return this.#totals.progressOf(name);
  }

  /** The input of the last `count` messages; undefined when there may be more than were read. */
  conditionInput(count: number): ConditionInput[] | undefined {
    const { conditionInput } = this.#end;
    const input = inputOfLast(count, conditionInput);
    if (input.filter(isMessage).length !== count) return undefined;
    // What opens them may be in what was not read.
    return input.length < conditionInput.length || this.#isWhole ? input : undefined;
  }

  /** The conversation started after what was not read. */
  get #isWhole(): boolean {
    return this.#history.after === 0 || this.#totals.start > this.#history.after;
  }

  #from<T>(participant: string, made: (groups: ItemGroups) => T): T | undefined {
    if (![...this.#totals.totals.open].every((ref) => this.#end.open.has(ref))) return undefined;
    try {
      return made(this.#groups(participant));
    } catch (error) {
      if (error instanceof NotRead) return undefined;
      throw error;
    }
  }

  #groups(participant: string): ItemGroups {
    const end = new TranscriptGroups(this.#end, participant);
    if (this.#isWhole) return end;
    return {
      undecided: end.undecided,
      backwards: () => thenNotRead(end.backwards()),
      forwards: () => thenNotRead(this.#fromStart(participant)),
    };
  }

  /** The groups that the conversation starts with, up to a call whose result, or a partial whose edit, may come later. */
  *#fromStart(participant: string): Generator<ItemGroup, void, undefined> {
    this.#start ??= transcriptOf(this.#history.from(this.#totals.start));
    const { entries } = this.#start;
    for (const { at, items } of new TranscriptGroups(this.#start, participant).forwards()) {
      if (items.some((item) => item.role === "tool" && item.output === AWAITING_DECISION)) return;
      const entry = entries[at];
      if (entry?.kind === "message" && entry.message.partial === true) return;
      // The positions at the end count from 0.
      yield { at: at - entries.length, items };
    }
  }
}

/** The part of the transcript that was not read is needed. */
class NotRead extends Error {}

function* thenNotRead(groups: Iterable<ItemGroup>): Generator<ItemGroup, void, undefined> {
  yield* groups;
  throw new NotRead();
}

function transcriptOf(events: Iterable<DurableEvent>): TranscriptData {
  const data = emptyTranscript();
  for (const event of events) applyEvent(data, event);
  return data;
}
