import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { editedMessage } from "../../../shared/state/cut-message.ts";
import { ContextTotals, type StoredTotals } from "../context/context-totals.ts";
import { ModelProgressTracker, type StoredProgress } from "../context/model-progress.ts";
import { entryOf } from "../context/transcript-entry.ts";
import type { ModelProgress } from "../model.ts";
import { eventForNested } from "./nested-event.ts";

/** {@link HistoryTotals} as JSON. */
export interface StoredHistoryTotals {
  readonly start: number;
  readonly totals: StoredTotals;
  /** Undefined when it is not known. */
  readonly progress?: StoredProgress | undefined;
  readonly partials: readonly ChatMessage[];
  readonly inner: readonly (readonly [participant: string, StoredHistoryTotals])[];
}

/** The version of the totals: those of another one are made again. Increase it with every change of what they count. */
export const TOTALS_VERSION = 2;

/** How many partial messages are kept, as each may be edited, and how long one may be, in characters. */
const PARTIALS = 8;
const PARTIAL_LENGTH = 16 * 1024;

/**
 * The size of the conversations of a team and its nested teams, and how far each model has come, counted from their events,
 * which are not kept.
 */
export class HistoryTotals {
  readonly #inner: Map<string, HistoryTotals>;
  /** The last partial messages. */
  #partials: Map<string, ChatMessage>;
  #totals: ContextTotals;
  /** Undefined when it cannot be known from the events that were added. */
  #progress: ModelProgressTracker | undefined;
  #start: number;

  constructor(stored?: StoredHistoryTotals) {
    this.#start = stored?.start ?? 0;
    this.#totals = new ContextTotals(stored?.totals);
    if (stored === undefined || stored.progress !== undefined)
      this.#progress = new ModelProgressTracker(stored?.progress);
    this.#partials = new Map(stored?.partials.map((message) => [message.id, message]));
    this.#inner = new Map(stored?.inner.map(([name, totals]) => [name, new HistoryTotals(totals)]));
  }

  get totals(): ContextTotals {
    return this.#totals;
  }

  /** Undefined when it is not known. */
  progressOf(name: string): ModelProgress | undefined {
    return this.#progress?.progressOf(name);
  }

  /** The number of the event that the conversation starts with: the last reset or loaded state, or 0. */
  get start(): number {
    return this.#start;
  }

  /** {@link start} of this team and of its nested teams. */
  starts(): number[] {
    return [this.#start, ...[...this.#inner.values()].flatMap((inner) => inner.starts())];
  }

  /** Of the nested team of that participant. */
  nested(participant: string): HistoryTotals {
    const known = this.#inner.get(participant);
    if (known !== undefined) return known;
    const totals = new HistoryTotals();
    this.#inner.set(participant, totals);
    return totals;
  }

  add(event: DurableEvent): void {
    if (event.path?.[0] !== undefined) this.nested(event.path[0]);
    if (event.path === undefined && event.type === "state/loaded")
      for (const name of Object.keys(event.state.inner ?? {})) this.nested(name);
    for (const [name, totals] of this.#inner) {
      const inner = eventForNested(name, event);
      if (inner !== undefined) totals.add(inner);
    }
    if (event.path === undefined) this.#addOwn(event);
  }

  toJSON(): StoredHistoryTotals {
    return {
      start: this.#start,
      totals: this.#totals.toJSON(),
      progress: this.#keptProgress(),
      partials: [...this.#partials.values()],
      inner: [...this.#inner].map(([name, totals]) => [name, totals.toJSON()]),
    };
  }

  #addOwn(event: DurableEvent): void {
    switch (event.type) {
      case "message/added":
        this.#keepPartial(event.message);
        this.#addEntry(entryOf(event));
        break;
      case "tool/requested":
      case "tool/executed":
        this.#addEntry(entryOf(event));
        break;
      case "model/asked":
        this.#progress?.addUnseen(event.by);
        break;
      case "message/edited":
        this.#edit(event.messageId, event.content);
        break;
      case "message/dropped":
        this.#edit(event.messageId);
        break;
      case "team/reset":
        this.#startAt(event.seq);
        break;
      case "state/loaded":
        this.#startAt(event.seq);
        for (const entry of event.state.transcript) {
          if (entry.kind === "message") this.#keepPartial(entry.message);
          this.#addEntry(entry);
        }
        for (const [by, count] of Object.entries(event.state.asked ?? {})) this.#progress?.addUnseen(by, count);
        break;
      default:
    }
  }

  /** Undefined where the texts of partial answers are too long. */
  #keptProgress(): StoredProgress | undefined {
    const progress = this.#progress?.toJSON();
    return JSON.stringify(progress ?? null).length > PARTIALS * PARTIAL_LENGTH ? undefined : progress;
  }

  #addEntry(entry: TranscriptEntry): void {
    this.#totals.add(entry);
    this.#progress?.add(entry);
  }

  #startAt(seq: number): void {
    this.#start = seq;
    this.#totals = new ContextTotals();
    this.#progress = new ModelProgressTracker();
    this.#partials = new Map();
  }

  #keepPartial(message: ChatMessage): void {
    if (message.partial !== true || JSON.stringify(message).length > PARTIAL_LENGTH) return;
    this.#partials.set(message.id, message);
    const [oldest] = this.#partials.keys();
    if (this.#partials.size > PARTIALS && oldest !== undefined) this.#partials.delete(oldest);
  }

  #edit(messageId: string, content?: string): void {
    const message = this.#partials.get(messageId);
    const edited = message === undefined || content === undefined ? undefined : editedMessage(message, content);
    this.#totals.replace(message, edited);
    if (message === undefined) this.#progress = undefined;
    else this.#progress?.rewrite(message, content ?? "");
    this.#partials.delete(messageId);
    if (edited !== undefined) this.#keepPartial(edited);
  }
}
