import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { storageError } from "../../../shared/contract/errors.ts";
import type { DurableEvent, TeamEvent, TransientEvent } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, type TeamState } from "../../../shared/state/team-state.ts";
import type { Journal, StoredTeam } from "../log/journal.ts";

/** Keeps a team's events in memory, including chunks. It can fail like a full disk. */
export class MemoryJournal implements Journal {
  readonly kept: TeamEvent[] = [];
  /** Returns true for an event that cannot be stored. */
  fails: (event: TeamEvent) => boolean = () => false;

  append(event: DurableEvent): void {
    this.#keep(event);
  }

  appendTransient(event: TransientEvent): void {
    this.#keep(event);
  }

  get events(): DurableEvent[] {
    return this.kept.filter((event): event is DurableEvent => "seq" in event);
  }

  /** What another process finds of the team after this process ended. */
  stored(teamId: string, definition: TeamDefinition): StoredTeam {
    return { state: foldOf(this.kept, teamId, definition), history: () => this.events };
  }

  #keep(event: TeamEvent): void {
    if (this.fails(event)) throw storageError("The disk is full.");
    this.kept.push(structuredClone(event));
  }
}

/** The state of a new team after these events. */
export function foldOf(events: readonly TeamEvent[], teamId: string, definition: TeamDefinition): TeamState {
  return events.reduce(reduceTeam, initialTeamState(teamId, definition));
}
