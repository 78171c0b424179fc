import { setImmediate } from "node:timers/promises";
import { type GavelError, messageOf, storageError } from "../../../shared/contract/errors.ts";
import { isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { createTeam, type Journal, type Team } from "../../engine/index.ts";
import { TeamLog } from "../log/team-log.ts";
import type { UnstoredTeam } from "../store/records/new-team.ts";
import type { TeamJournal } from "../store/records/team-journal.ts";
import type { TeamRecord } from "../store/records/team-records.ts";
import type { LoadedTeam as StoredState } from "../store/store.ts";
import type { SessionOptions } from "./session-options.ts";

/** A checkpoint is saved after this many events; at the end of a run, when no answer waits for it, after fewer. */
const CHECKPOINT_EVERY = 256;
const CHECKPOINT_AT_REST = 128;

/** A team as it was loaded from the store, and what stores its events. */
export interface LoadedTeam {
  readonly team: Team;
  readonly journal: TeamJournal;
  /** Another copy replaces this one: it can no longer be changed, and calls no listener. */
  detach(): void;
}

export interface TeamListeners {
  /** Called with each event; returns true for one that brings the team to rest. */
  readonly onEvent: (event: TeamEvent, journal: TeamJournal) => boolean;
  /** The journal has changed its state, or stored something. `error`: what failed. */
  readonly onJournal: (journal: TeamJournal, error: GavelError | undefined) => void;
}

/** What the closures of a copy share. Emptied when it is replaced, as what knows its journal must not keep it in memory. */
interface Shared {
  team?: Team;
  unlisten?: () => void;
  listeners?: TeamListeners;
}

/**
 * Makes a team of what is stored of it; a new one is `unstored` while nothing can be stored.
 * @throws what `createTeam` throws.
 */
export function loadTeam(
  record: TeamRecord,
  stored: StoredState,
  options: SessionOptions,
  listeners: TeamListeners,
  unstored?: UnstoredTeam,
): LoadedTeam {
  const { store, user, keepName, log } = options;
  const { teamId, uri, key } = record;
  const definition = stored.state.definition ?? record.definition;
  const parts = options.parts(record);
  const shared: Shared = { listeners };
  const kept = store.journal(record, {
    isRunning: () => shared.team?.isRunning === true,
    changed: (journal, error) => shared.listeners?.onJournal(journal, error),
    storedSeq: stored.state.lastSeq,
    unstored,
  });
  const team = createTeam({
    teamId,
    definition,
    uri,
    parts,
    user,
    keepName,
    journal: journalOf(teamId, kept, shared),
    stored,
  });
  const checkpoints = new CheckpointSaver(stored.checkpoint, async (state) => {
    // The answer to a run waits for its last event, and is not to wait for a checkpoint, which may be long.
    await kept.settled();
    await setImmediate();
    if (shared.listeners === undefined || kept.state !== "saving") return;
    void store.prepareHistory(key);
    store.checkpoint(key, state).catch((error: unknown) => log.warn(messageOf(error)));
  });
  const teamLog = new TeamLog(log, definition.name, teamId);
  shared.team = team;
  shared.unlisten = team.onEvent((event) => {
    const settles = shared.listeners?.onEvent(event, kept) === true;
    if (!isDurable(event)) return;
    teamLog.event(event);
    // The team may already be at a later event, which is not published yet.
    const state = shared.team?.state;
    if (state?.lastSeq === event.seq) checkpoints.save(state, settles ? CHECKPOINT_AT_REST : CHECKPOINT_EVERY);
  });
  checkpoints.save(team.state, CHECKPOINT_EVERY);
  void store.prepareHistory(key);
  const detach = (): void => {
    parts.close?.();
    shared.unlisten?.();
    delete shared.team;
    delete shared.unlisten;
    delete shared.listeners;
    store.health.forget(kept);
  };
  return { team, journal: kept, detach };
}

/** The journal of one copy of a team, which only that copy can use. */
function journalOf(teamId: string, kept: TeamJournal, shared: Shared): Journal {
  return {
    append: (event) => {
      if (shared.listeners === undefined)
        throw storageError(`Team "${teamId}" was reloaded; this copy of it cannot be changed.`);
      kept.append(event);
    },
    appendTransient: (event) => kept.appendTransient(event),
    durable: (seq) => kept.durable(seq),
  };
}

class CheckpointSaver {
  #last: number;
  readonly #save: (state: TeamState) => Promise<void>;

  constructor(last: number, save: (state: TeamState) => Promise<void>) {
    this.#last = last;
    this.#save = save;
  }

  /** Saves the state if it is so many events after the last one that was saved. */
  save(state: TeamState, behind: number): void {
    if (state.lastSeq - this.#last < behind) return;
    this.#last = state.lastSeq;
    void this.#save(state);
  }
}
