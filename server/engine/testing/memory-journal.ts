import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { storageError } from "../../../shared/contract/errors.ts";
import type { DurableEvent, TeamEvent, TransientEvent } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, type TeamState } from "../../../shared/state/team-state.ts";
import type { Journal, StoredTeam } from "../log/journal.ts";

/** Keeps a team's events in order, chunks among them, and can be told to fail as a full disk does. */
export class MemoryJournal implements Journal {
  readonly kept: TeamEvent[] = [];
  /** When true for an event, the disk is full. */
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

  /** What another process finds of the team after this one died. */
  stored(teamId: string, definition: TeamDefinition): StoredTeam {
    return { state: foldOf(this.kept, teamId, definition), history: () => this.events };
  }

  #keep(event: TeamEvent): void {
    if (this.fails(event)) throw storageError("The disk is full.");
    this.kept.push(structuredClone(event));
  }
}

/** The state that these events make of a new team. */
export function foldOf(events: readonly TeamEvent[], teamId: string, definition: TeamDefinition): TeamState {
  return events.reduce(reduceTeam, initialTeamState(teamId, definition));
}
