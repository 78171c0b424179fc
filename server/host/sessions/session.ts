import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import {
  type GavelError,
  messageOf,
  requestCancelled,
  storageError,
  teamBusy,
  teamBusyElsewhere,
  unknownTeam,
} from "../../../shared/contract/errors.ts";
import { isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { createTeam, type Journal, type Team, type TeamParts } from "../../engine/index.ts";
import type { HostLog } from "../log/host-log.ts";
import { TeamLog } from "../log/team-log.ts";
import type { Store } from "../store/store.ts";
import type { TeamJournal } from "../store/team-journal.ts";
import type { TeamRecord } from "../store/team-records.ts";
import { type EventPublisher, STORED } from "./event-publisher.ts";

/** A checkpoint is saved after this many events; at the end of a run, when no answer waits for it, after fewer. */
const CHECKPOINT_EVERY = 256;
const CHECKPOINT_AT_REST = 128;

/** Events of a team at rest that change its entry in the list of teams. */
const ENDS_ACTIVITY: ReadonlySet<TeamEvent["type"]> = new Set([
  "run/ended",
  "team/reset",
  "state/loaded",
  "message/edited",
  "message/dropped",
]);

const REDEFINED = "the team has another definition now";

export interface SessionOptions {
  readonly store: Store;
  readonly publisher: EventPublisher;
  readonly parts: TeamParts;
  readonly user: string;
  readonly log: HostLog;
  /** Called when a team's run is over. A run that waits for decisions is not over. */
  readonly runEnded: (teamId: string) => void;
  /** Called when a team is deleted or gets another definition: requests that it is to answer end with that error. */
  readonly discarded: (teamId: string, error: (method: string) => GavelError) => void;
}

/**
 * One team in this host: the team as loaded from the store, and its lock. Other hosts may share the store, so every change
 * to the team happens within {@link exclusive}.
 */
export class Session {
  readonly #options: SessionOptions;
  #record: TeamRecord;
  #team: Team;
  #detach: () => void = () => {};
  #journal: TeamJournal;
  #holders = 0;
  #checkpoint = 0;
  /** When the team last came to rest, until that is stored. */
  #settledAt: string | undefined;

  constructor(record: TeamRecord, options: SessionOptions) {
    this.#options = options;
    this.#record = record;
    this.#journal = options.store.journal(record);
    this.#team = this.#build();
  }

  get teamId(): string {
    return this.#record.teamId;
  }

  /** The store's number for the team. A deleted team's number is not used again, even if its id is. */
  get key(): number {
    return this.#record.key;
  }

  get definition(): TeamDefinition {
    return this.#record.definition;
  }

  get uri(): string | undefined {
    return this.#record.uri;
  }

  get isRunning(): boolean {
    return this.#team.isRunning;
  }

  /** The team as it is now, also when another host runs it. If that host has died, its run is closed first. */
  current(): TeamState {
    if (this.#team.isRunning) return this.#team.state;
    this.#catchUp();
    if (this.#team.state.run !== null && this.#options.store.locks.take(this.#record.key)) {
      // This host got the lock, so the host that ran the team has died.
      this.#acquire();
      this.#release();
    }
    return this.#team.state;
  }

  /** Reads from the team as it is now, also when another host runs it. `work` must not change it. */
  read<T>(work: (team: Team) => T): T {
    this.current();
    return work(this.#team);
  }

  /**
   * Changes the team while no other host can. The lock is held until the work is done and no run is in progress.
   * @throws GavelError `TeamBusy` when another host runs the team, `UnknownTeam` when one deleted it.
   */
  async exclusive<T>(work: (team: Team) => T | Promise<T>): Promise<T> {
    this.#acquire();
    try {
      return await work(this.#team);
    } finally {
      this.#release();
    }
  }

  /** The whole state as plain JSON. @throws GavelError `TeamBusy` while a run is in progress, here or elsewhere. */
  save(): SavedState {
    if (this.current().run !== null && !this.#team.isRunning) throw teamBusyElsewhere(this.teamId);
    return this.#team.save();
  }

  /**
   * Replaces the team's state with a saved one.
   * @throws GavelError `TeamBusy` while a run is in progress, here or elsewhere.
   */
  load(state: SavedState): void {
    this.#acquire();
    try {
      this.#team.load(state);
    } finally {
      this.#release();
    }
  }

  stop(): void {
    if (this.current().run !== null && !this.#team.isRunning) throw teamBusyElsewhere(this.teamId);
    this.#team.stop();
  }

  /** Replaces the team's definition and keeps its thread. @throws GavelError `TeamBusy` while it runs. */
  redefine(definition: TeamDefinition, uri: string | undefined): void {
    if (this.#team.isRunning) throw teamBusy(this.teamId);
    this.#acquire();
    try {
      this.#options.store.teams.redefine(this.#record.key, definition, uri, new Date().toISOString());
      this.#record = { ...this.#record, definition, uri };
      this.#team = this.#build();
      this.#options.discarded(this.teamId, (method) => requestCancelled(method, REDEFINED));
    } finally {
      this.#release();
    }
  }

  /** Deletes the team and everything stored for it. @throws GavelError `TeamBusy` while it runs. */
  delete(): void {
    if (this.#team.isRunning) throw teamBusy(this.teamId);
    this.#acquire();
    try {
      this.#detach();
      this.#options.store.teams.delete(this.#record.key);
      this.#options.runEnded(this.teamId);
      this.#options.discarded(this.teamId, () => unknownTeam(this.teamId));
    } finally {
      this.#release();
    }
  }

  #acquire(): void {
    this.#takeLock();
    this.#holders++;
    try {
      // The host that had the lock before may have added events.
      if (this.#holders === 1) this.#catchUp();
      this.#team.recover();
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #release(): void {
    this.#holders--;
    this.#releaseLockAtRest();
  }

  #takeLock(): void {
    const { store } = this.#options;
    if (store.teams.key(this.teamId) !== this.#record.key) throw unknownTeam(this.teamId);
    if (!store.locks.take(this.#record.key)) throw teamBusyElsewhere(this.teamId);
  }

  #releaseLockAtRest(): void {
    if (this.#holders > 0 || this.#team.isRunning) return;
    const { store } = this.#options;
    this.#logFailures(() => {
      if (this.#settledAt !== undefined) store.teams.summarize(this.#record.key, this.#team.state, this.#settledAt);
      this.#settledAt = undefined;
      store.locks.release(this.#record.key);
    });
  }

  /** Loads and publishes the events that another host has added. */
  #catchUp(): void {
    if (this.#team.isRunning) return;
    const { store, publisher } = this.#options;
    const { lastSeq, run } = this.#team.state;
    const isBehind = store.events.lastSeq(this.#record.key) > lastSeq;
    if (!isBehind && run === null && !this.#journal.isBroken) return;
    if (store.teams.key(this.teamId) !== this.#record.key) throw unknownTeam(this.teamId);
    for (const event of store.events.all(this.#record.key, lastSeq)) publisher.publish(this.teamId, event, STORED);
    this.#record = store.teams.get(this.teamId) ?? this.#record;
    this.#team = this.#build();
  }

  #build(): Team {
    this.#detach();
    const { store, parts, user, log } = this.#options;
    const record = this.#record;
    const stored = store.load(record);
    const kept = store.journal(record);
    this.#journal = kept;
    let isCurrent = true;
    const journal: Journal = {
      append: (event) => {
        if (!isCurrent) throw storageError(`Team "${record.teamId}" was reloaded; this copy of it cannot be changed.`);
        // A run that the team starts by itself takes the lock again, which the run before it released.
        if (event.type === "run/started" && this.#holders === 0) this.#takeLock();
        kept.append(event);
      },
      appendTransient: (event) => kept.appendTransient(event),
    };
    const { teamId, definition, uri } = record;
    const teamLog = new TeamLog(log, definition.name, teamId);
    const team = createTeam({ teamId, definition, uri, parts, user, journal, stored });
    const unlisten = team.onEvent((event) => this.#logFailures(() => this.#onEvent(event, team, kept, teamLog)));
    this.#detach = () => {
      isCurrent = false;
      unlisten();
    };
    this.#checkpoint = stored.checkpoint;
    this.#saveCheckpoint(team.state, CHECKPOINT_EVERY);
    return team;
  }

  #onEvent(event: TeamEvent, team: Team, journal: TeamJournal, teamLog: TeamLog): void {
    this.#options.publisher.publish(this.teamId, event, journal);
    if (!isDurable(event)) return;
    teamLog.event(event);
    const isOwnEnd = event.type === "run/ended" && event.path === undefined;
    if (isOwnEnd && event.stopReason !== StopReason.toolInterrupt) this.#options.runEnded(this.teamId);
    const settles = ENDS_ACTIVITY.has(event.type);
    if (settles) {
      this.#settledAt = event.at;
      setImmediate(() => {
        this.#releaseLockAtRest();
        this.#logFailures(() => this.#options.store.tidy());
      });
    }
    // The team may already be at a later event, which is not published yet.
    if (team.state.lastSeq === event.seq)
      this.#saveCheckpoint(team.state, settles ? CHECKPOINT_AT_REST : CHECKPOINT_EVERY);
  }

  #saveCheckpoint(state: TeamState, behind: number): void {
    if (state.lastSeq - this.#checkpoint < behind) return;
    this.#options.store.checkpoint(this.#record.key, state);
    this.#checkpoint = state.lastSeq;
  }

  /** For work that follows an event: a failure is logged, and does not affect the event. */
  #logFailures(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.warn(messageOf(error));
    }
  }
}
