import type { EventDraft, TeamEvent } from "../../../shared/contract/event.ts";
import { eventWithin, reduceTeam } from "../../../shared/state/reducer.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { Journal } from "./journal.ts";

/** Something that grows with each event, beside the state. */
export interface Projection {
  apply(event: TeamEvent): void;
}

/** A draft with the team within which it happens, as that team's path. */
type Placed = EventDraft & { readonly path?: string[] };

/** Where things happen to a team. What happens to a team within another happens to that one too, with the `path` to it. */
export interface Ledger {
  readonly state: TeamState;
  /**
   * A draft gets its place and time, is kept, then folded, then told. `runId` is given with the event that begins a run; the
   * others belong to the run in progress.
   * @throws GavelError of code `StorageError` when the event can not be kept; it has then not happened.
   */
  record(draft: EventDraft, runId?: string): void;
  /**
   * Records what must happen even when it can not be kept now, such as the end of a run on a full disk: it is kept and told
   * before the next event. After a crash in between, the store still has the open run, and reopening closes it.
   */
  recordClosing(draft: EventDraft): void;
  /** Calls `listener` with every event once it is kept; the function that it returns ends that. */
  onEvent(listener: (event: TeamEvent) => void): () => void;
  /** Lets `fold` grow with each event from here on. */
  addProjection(fold: Projection): void;
  /** The ledger of the team within the participant of that name. */
  nested(participant: string): Ledger;
}

/** What hears of a team's events: its folds first, then whoever listens; and so for the teams within it. */
class Subscribers {
  readonly #projections: Projection[] = [];
  readonly #listeners = new Set<(event: TeamEvent) => void>();
  readonly #inner = new Map<string, Subscribers>();

  addProjection(apply: Projection): void {
    this.#projections.push(apply);
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

  fold(event: TeamEvent): void {
    for (const fold of this.#projections) fold.apply(event);
    this.#forward(event, (subscribers, inner) => subscribers.fold(inner));
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

/** An event as the team within `participant` sees it, if it is of its concern: what is its own, and what empties or fills it. */
export function eventForNested<E extends TeamEvent>(participant: string, event: E): E | undefined {
  if (event.path !== undefined) {
    const [name, ...rest] = event.path;
    return name === participant ? eventWithin(event, rest) : undefined;
  }
  if (event.type === "team/reset") return event;
  if (event.type !== "state/loaded") return undefined;
  const { state, ...place } = event;
  const saved = state.inner?.[participant];
  return (saved === undefined ? { ...place, type: "team/reset" } : { ...event, state: saved }) as E;
}

/**
 * The one place where something happens to a team and the teams within it, so that all of it has one order. Every listener is
 * told in the order of the events, also when one of them makes the next event happen.
 */
export class RootLedger implements Ledger {
  readonly subscribers = new Subscribers();
  readonly #journal: Journal;
  readonly #backlog: TeamEvent[] = [];
  readonly #unnotified: TeamEvent[] = [];
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

  record(draft: Placed, runId = this.#state.run?.runId): void {
    this.#storeBacklog();
    const event = this.#placed(draft, runId);
    this.#store(event);
    this.#fold(event);
    this.#notify(event);
  }

  recordClosing(draft: Placed, runId = this.#state.run?.runId): void {
    try {
      this.record(draft, runId);
    } catch {
      const event = this.#placed(draft, runId);
      this.#backlog.push(event);
      this.#fold(event);
    }
  }

  onEvent(listener: (event: TeamEvent) => void): () => void {
    return this.subscribers.onEvent(listener);
  }

  addProjection(fold: Projection): void {
    this.subscribers.addProjection(fold);
  }

  nested(participant: string): Ledger {
    return new NestedLedger(this, [participant], this.subscribers.nested(participant));
  }

  #placed(draft: Placed, runId: string | undefined): TeamEvent {
    const place = { at: this.#now(), ...(runId === undefined ? {} : { runId }) };
    if (draft.type === "message/chunk" || draft.type === "tool/output") return { ...place, ...draft };
    return { seq: this.#state.lastSeq + 1, ...place, ...draft };
  }

  /** ISO 8601. Most chunks share their millisecond with the event before, and its text costs more than all else done with one. */
  #now(): string {
    const ms = Date.now();
    if (ms !== this.#ms) {
      this.#ms = ms;
      this.#at = new Date(ms).toISOString();
    }
    return this.#at;
  }

  #store(event: TeamEvent): void {
    if ("seq" in event) this.#journal.append(event);
    else this.#journal.appendTransient(event);
  }

  #storeBacklog(): void {
    for (let event = this.#backlog[0]; event !== undefined; event = this.#backlog[0]) {
      this.#store(event);
      this.#backlog.shift();
      this.#notify(event);
    }
  }

  #fold(event: TeamEvent): void {
    this.#state = reduceTeam(this.#state, event);
    this.subscribers.fold(event);
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

/** A nested team's view of the root's ledger: its events are the root's, with the path to the team. */
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
      const inner = state.inner?.[name];
      if (inner === undefined) throw new Error(`The state has no team within ${this.#path.join("/")}.`);
      state = inner;
    }
    return state;
  }

  record(draft: EventDraft, runId = this.state.run?.runId): void {
    this.#root.record({ ...draft, path: [...this.#path] }, runId);
  }

  recordClosing(draft: EventDraft): void {
    this.#root.recordClosing({ ...draft, path: [...this.#path] }, this.state.run?.runId);
  }

  onEvent(listener: (event: TeamEvent) => void): () => void {
    return this.#subscribers.onEvent(listener);
  }

  addProjection(fold: Projection): void {
    this.#subscribers.addProjection(fold);
  }

  nested(participant: string): Ledger {
    return new NestedLedger(this.#root, [...this.#path, participant], this.#subscribers.nested(participant));
  }
}

/** A listener's own failure is its own: what has happened has happened, and the others hear of it. */
function notifyListener(listener: (event: TeamEvent) => void, event: TeamEvent): void {
  try {
    listener(event);
  } catch {
    // Nobody in the team is there to mend a listener.
  }
}
