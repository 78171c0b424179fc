import type { DurableEvent, TransientEvent } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { HistoryPage, RecentHistory } from "./history.ts";

/**
 * Stores a team's events. An event has happened once it is appended, whether or not it can be stored at once. Nothing may be
 * done that relies on it, and no one outside the team may be told of it, before {@link Journal.durable} says so.
 */
export interface Journal {
  /** Puts the event in order after those appended before. Neither waits for the disk nor throws because of it. */
  append(event: DurableEvent): void;
  /** Also keeps the text of a chunk until its message is added, so that a crash cannot lose it. */
  appendTransient(event: TransientEvent): void;
  /**
   * Resolves when the events up to `seq` are stored; undefined if they are. While they cannot be stored it waits: what needs
   * them also listens for the signal that ends its run.
   */
  durable(seq: number): Promise<void> | undefined;
}

/** A stored team, to be opened again. */
export interface StoredTeam {
  /** The state that the stored events lead to. */
  readonly state: TeamState;
  /**
   * All events of the team from the first: those that are in memory are read when a run first needs the whole transcript,
   * the pages of a store by {@link Team.prepare}.
   */
  history(): Iterable<DurableEvent> | AsyncIterable<HistoryPage>;
  /**
   * The end of the history, for what does not need all of it. Undefined, or left out, when it cannot be read alone.
   */
  recent?(): Promise<RecentHistory | undefined>;
}
