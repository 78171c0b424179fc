import type { DurableEvent, TransientEvent } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";

/**
 * Where a team's events are kept. Each method is done when it returns, and throws a GavelError of code `StorageError` when it
 * can not keep the event; the event has then not happened. A team tells nobody of an event before it is kept.
 */
export interface Journal {
  append(event: DurableEvent): void;
  /** Keeps the text of a chunk until the message that it belongs to is added, so that a crash can not lose it. */
  appendTransient(event: TransientEvent): void;
}

/** What a team was when it was last kept, for opening it again. */
export interface StoredTeam {
  /** A state from which the fold can go on, and the events after it. */
  readonly state: TeamState;
  /** Every event of the team from its first, read when a run first needs the whole transcript. */
  history(): Iterable<DurableEvent>;
}
