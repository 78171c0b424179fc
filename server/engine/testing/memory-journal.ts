import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { storageError } from "../../../shared/contract/errors.ts";
import type { DurableEvent, TeamEvent, TransientEvent } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, type TeamState } from "../../../shared/state/team-state.ts";
import type { Journal, StoredTeam } from "../log/journal.ts";

/** Keeps a team's events in memory, including chunks. It can fail like a full disk, until {@link MemoryJournal.retry}. */
export class MemoryJournal implements Journal {
  readonly kept: TeamEvent[] = [];
  /** Returns true for an event that cannot be stored. */
  fails: (event: TeamEvent) => boolean = () => false;
  /** Called with the error when an event cannot be stored, in a later turn of the event loop. */
  onFailure: (error: Error) => void = () => {};
  readonly #waiting: TeamEvent[] = [];
  readonly #stored = new Set<() => void>();

  append(event: DurableEvent): void {
    this.#keep(event);
  }

  appendTransient(event: TransientEvent): void {
    this.#keep(event);
  }

  durable(): Promise<void> | undefined {
    if (this.#waiting.length === 0) return undefined;
    return new Promise((resolve) => this.#stored.add(resolve));
  }

  /** Stores what could not be stored before. */
  retry(): void {
    this.kept.push(...this.#waiting.splice(0));
    for (const resolve of this.#stored) resolve();
    this.#stored.clear();
  }

  get events(): DurableEvent[] {
    return this.kept.filter((event): event is DurableEvent => "seq" in event);
  }

  /** What another process finds of the team after this process ended. */
  stored(teamId: string, definition: TeamDefinition): StoredTeam {
    this.#waiting.length = 0;
    return { state: foldOf(this.kept, teamId, definition), history: () => this.events };
  }

  #keep(event: TeamEvent): void {
    if (this.#waiting.length === 0 && !this.fails(event)) {
      this.kept.push(structuredClone(event));
      return;
    }
    if (this.#waiting.push(structuredClone(event)) === 1) {
      setImmediate(() => this.onFailure(storageError("The disk is full.")));
    }
  }
}

/** The state of a new team after these events. */
export function foldOf(events: readonly TeamEvent[], teamId: string, definition: TeamDefinition): TeamState {
  return events.reduce(reduceTeam, initialTeamState(teamId, definition));
}
