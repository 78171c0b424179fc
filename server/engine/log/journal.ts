import type { DurableEvent, TransientEvent } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";

/**
 * Stores a team's events. Each method has stored the event when it returns, and throws a GavelError `StorageError` when it
 * cannot; the event has then not happened. A team notifies no listener of an event before it is stored.
 */
export interface Journal {
  append(event: DurableEvent): void;
  /** Stores the text of a chunk until its message is added, so that a crash cannot lose it. */
  appendTransient(event: TransientEvent): void;
}

/** A stored team, to be opened again. */
export interface StoredTeam {
  /** The state that the stored events lead to. */
  readonly state: TeamState;
  /** All events of the team from the first, read when a run first needs the whole transcript. */
  history(): Iterable<DurableEvent>;
}
