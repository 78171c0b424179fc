import type { EventDraft, TeamEvent } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/reducer.ts";
import type { TeamState } from "../../../shared/team-state.ts";
import type { Journal } from "./journal.ts";

/** Something that grows with each event, beside the state. */
export interface Fold {
  take(event: TeamEvent): void;
}

/**
 * The one place where something happens to a team: a draft gets its place and time, is kept, then folded, then told. When it
 * can not be kept it has not happened, and `record` throws. Every listener is told in the order of the events, also when one
 * of them makes the next event happen.
 */
export class Ledger {
  readonly #journal: Journal;
  readonly #folds: readonly Fold[];
  readonly #listeners = new Set<(event: TeamEvent) => void>();
  readonly #backlog: TeamEvent[] = [];
  readonly #untold: TeamEvent[] = [];
  #telling = false;
  #ms = Number.NaN;
  #at = "";
  #state: TeamState;

  constructor(state: TeamState, journal: Journal, folds: readonly Fold[]) {
    this.#state = state;
    this.#journal = journal;
    this.#folds = folds;
  }

  get state(): TeamState {
    return this.#state;
  }

  /**
   * `runId` is given with the event that begins a run; the others belong to the run in progress.
   * @throws GavelError of code `StorageError` when the event can not be kept.
   */
  record(draft: EventDraft, runId = this.#state.run?.runId): TeamEvent {
    this.#keepBacklog();
    const event = this.#placed(draft, runId);
    this.#keep(event);
    this.#fold(event);
    this.#tell(event);
    return event;
  }

  /**
   * Records what must happen even when it can not be kept now, such as the end of a run on a full disk: it is kept and told
   * before the next event. After a crash in between, the store still has the open run, and reopening closes it.
   */
  recordClosing(draft: EventDraft): void {
    try {
      this.record(draft);
    } catch {
      const event = this.#placed(draft, this.#state.run?.runId);
      this.#backlog.push(event);
      this.#fold(event);
    }
  }

  onEvent(listener: (event: TeamEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #placed(draft: EventDraft, runId: string | undefined): TeamEvent {
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

  #keep(event: TeamEvent): void {
    if ("seq" in event) this.#journal.append(event);
    else this.#journal.appendTransient(event);
  }

  #keepBacklog(): void {
    for (let event = this.#backlog[0]; event !== undefined; event = this.#backlog[0]) {
      this.#keep(event);
      this.#backlog.shift();
      this.#tell(event);
    }
  }

  #fold(event: TeamEvent): void {
    this.#state = reduceTeam(this.#state, event);
    for (const fold of this.#folds) fold.take(event);
  }

  #tell(event: TeamEvent): void {
    this.#untold.push(event);
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
      for (const listener of this.#listeners) inform(listener, next);
    }
    this.#telling = false;
  }
}

/** A listener's own failure is its own: what has happened has happened, and the others hear of it. */
function inform(listener: (event: TeamEvent) => void, event: TeamEvent): void {
  try {
    listener(event);
  } catch {
    // Nobody in the team is there to mend a listener.
  }
}
