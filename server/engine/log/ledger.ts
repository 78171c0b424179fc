import type { EventDraft, TeamEvent } from "../../../shared/contract/event.ts";
import { ownValue } from "../../../shared/json-record.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { Journal } from "./journal.ts";
import { eventForNested } from "./nested-event.ts";
import type { Prepare, Upcoming } from "./upcoming.ts";

/** A view of the events beside the state, updated with each event. */
export interface Projection {
  apply(event: TeamEvent): void;
}

/** A draft with the path of the nested team that it belongs to. */
type PathedDraft = EventDraft & { readonly path?: string[] };

/** Records the events of a team. An event of a nested team is recorded in the team around it too, with the `path` to it. */
export interface Ledger {
  readonly state: TeamState;
  /** The number of the next durable event, of the whole tree. */
  readonly nextSeq: number;
  /**
   * Gives a draft its sequence number and time, appends it to the journal, applies it to the state, then notifies the
   * listeners. `runId` is given with the event that starts a run; all others belong to the run in progress.
   */
  record(draft: EventDraft, runId?: string): void;
  /**
   * Called before a text that may be long is recorded, by whoever can wait. Undefined if no wait is needed. An abort of
   * `signal` ends the wait.
   */
  prepare(upcoming: Upcoming, signal?: AbortSignal): Promise<void> | undefined;
  /** Resolves when every event so far is stored; undefined if they are (see `Journal.durable`). */
  durable(): Promise<void> | undefined;
  /** Calls `listener` with every event, in order, also before it is stored; the returned function removes the listener. */
  onEvent(listener: (event: TeamEvent) => void): () => void;
  /** Applies each event from here on to `projection`. */
  addProjection(projection: Projection): void;
  /** The ledger of the nested team of that participant. */
  nested(participant: string): Ledger;
}

/** The subscribers to a team's events, projections before listeners, and those of its nested teams. */
class Subscribers {
  readonly #projections: Projection[] = [];
  readonly #listeners = new Set<(event: TeamEvent) => void>();
  readonly #inner = new Map<string, Subscribers>();

  addProjection(projection: Projection): void {
    this.#projections.push(projection);
  }

  onEvent(listener: (event: TeamEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  nested(participant: string): Subscribers {
    const known = this.#inner.get(participant);
    if (known !== undefined) return known;
    const subscribers = new Subscribers();
    this.#inner.set(participant, subscribers);
    return subscribers;
  }

  apply(event: TeamEvent): void {
    for (const projection of this.#projections) projection.apply(event);
    this.#forward(event, (subscribers, inner) => subscribers.apply(inner));
  }

  notify(event: TeamEvent): void {
    for (const listener of this.#listeners) notifyListener(listener, event);
    this.#forward(event, (subscribers, inner) => subscribers.notify(inner));
  }

  #forward(event: TeamEvent, to: (subscribers: Subscribers, event: TeamEvent) => void): void {
    for (const [name, subscribers] of this.#inner) {
      const inner = eventForNested(name, event);
      if (inner !== undefined) to(subscribers, inner);
    }
  }
}

/**
 * Records all events of a team and its nested teams, in one order. Listeners are notified in the order of the events, also
 * when a listener causes the next event.
 */
export class RootLedger implements Ledger {
  readonly subscribers = new Subscribers();
  readonly #journal: Journal;
  readonly #unnotified: TeamEvent[] = [];
  #prepare: Prepare = () => undefined;
  #isNotifying = false;
  #ms = Number.NaN;
  #at = "";
  #state: TeamState;

  constructor(state: TeamState, journal: Journal) {
    this.#state = state;
    this.#journal = journal;
  }

  get state(): TeamState {
    return this.#state;
  }

  get nextSeq(): number {
    return this.#state.lastSeq + 1;
  }

  record(draft: PathedDraft, runId = this.#state.run?.runId): void {
    const event = this.#eventOf(draft, runId);
    if ("seq" in event) this.#journal.append(event);
    else this.#journal.appendTransient(event);
    this.#apply(event);
    this.#notify(event);
  }

  prepare(upcoming: Upcoming, signal?: AbortSignal): Promise<void> | undefined {
    return this.#prepare(upcoming, signal);
  }

  /** Sets what {@link prepare} does; nothing until then. */
  prepareWith(prepare: Prepare): void {
    this.#prepare = prepare;
  }

  durable(): Promise<void> | undefined {
    return this.#journal.durable(this.#state.lastSeq);
  }

  onEvent(listener: (event: TeamEvent) => void): () => void {
    return this.subscribers.onEvent(listener);
  }

  addProjection(projection: Projection): void {
    this.subscribers.addProjection(projection);
  }

  nested(participant: string): Ledger {
    return new NestedLedger(this, [participant], this.subscribers.nested(participant));
  }

  #eventOf(draft: PathedDraft, runId: string | undefined): TeamEvent {
    const meta = { at: this.#now(), ...(runId === undefined ? {} : { runId }) };
    if (draft.type === "message/chunk" || draft.type === "tool/output" || draft.type === "reasoning/chunk") {
      return { ...meta, ...draft };
    }
    return { seq: this.nextSeq, ...meta, ...draft };
  }

  /**
   * ISO 8601. Most chunks share their millisecond with the event before, and formatting is the most expensive step of a
   * chunk.
   */
  #now(): string {
    const ms = Date.now();
    if (ms !== this.#ms) {
      this.#ms = ms;
      this.#at = new Date(ms).toISOString();
    }
    return this.#at;
  }

  #apply(event: TeamEvent): void {
    this.#state = reduceTeam(this.#state, event);
    this.subscribers.apply(event);
  }

  #notify(event: TeamEvent): void {
    this.#unnotified.push(event);
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    for (let next = this.#unnotified.shift(); next !== undefined; next = this.#unnotified.shift())
      this.subscribers.notify(next);
    this.#isNotifying = false;
  }
}

/** The ledger of a nested team: records in the root ledger, with the path to the team. */
class NestedLedger implements Ledger {
  readonly #root: RootLedger;
  readonly #path: readonly string[];
  readonly #subscribers: Subscribers;

  constructor(root: RootLedger, path: readonly string[], subscribers: Subscribers) {
    this.#root = root;
    this.#path = path;
    this.#subscribers = subscribers;
  }

  get state(): TeamState {
    let { state } = this.#root;
    for (const name of this.#path) {
      const inner = ownValue(state.inner, name);
      if (inner === undefined) throw new Error(`The state has no nested team ${this.#path.join("/")}.`);
      state = inner;
    }
    return state;
  }

  get nextSeq(): number {
    return this.#root.nextSeq;
  }

  record(draft: EventDraft, runId = this.state.run?.runId): void {
    this.#root.record({ ...draft, path: [...this.#path] }, runId);
  }

  prepare(upcoming: Upcoming, signal?: AbortSignal): Promise<void> | undefined {
    return this.#root.prepare({ ...upcoming, path: [...this.#path] }, signal);
  }

  durable(): Promise<void> | undefined {
    return this.#root.durable();
  }

  onEvent(listener: (event: TeamEvent) => void): () => void {
    return this.#subscribers.onEvent(listener);
  }

  addProjection(projection: Projection): void {
    this.#subscribers.addProjection(projection);
  }

  nested(participant: string): Ledger {
    return new NestedLedger(this.#root, [...this.#path, participant], this.#subscribers.nested(participant));
  }
}

/** A listener that throws stops neither the event nor the other listeners. */
function notifyListener(listener: (event: TeamEvent) => void, event: TeamEvent): void {
  try {
    listener(event);
  } catch {
    // The team cannot handle a listener's error.
  }
}
