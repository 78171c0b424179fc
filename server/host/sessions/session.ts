import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { messageOf, storageError, teamBusy, teamBusyElsewhere, unknownTeam } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { createTeam, type Journal, type Team, type TeamParts } from "../../engine/index.ts";
import type { Store } from "../store/store.ts";
import type { TeamJournal } from "../store/team-journal.ts";
import type { TeamRecord } from "../store/team-records.ts";
import { type EventPublisher, STORED } from "./event-publisher.ts";

/** Of how many events a checkpoint may be behind; at the end of a run, where nobody waits, of how many. */
const CHECKPOINT_EVERY = 256;
const CHECKPOINT_AT_REST = 128;

/** What is told of a team at rest, and changes what a list of teams says of it. */
const ENDS_ACTIVITY: ReadonlySet<TeamEvent["type"]> = new Set([
  "run/ended",
  "team/reset",
  "state/loaded",
  "message/edited",
  "message/dropped",
]);

export interface SessionOptions {
  readonly store: Store;
  readonly publisher: EventPublisher;
  readonly parts: TeamParts;
  readonly user: string;
  readonly warn: (message: string) => void;
  /** Called when a team's run is over; one that waits for rulings goes on with them, and is not. */
  readonly runEnded: (teamId: string) => void;
}

/**
 * One team in this host: its body, made of what the store has, and its claim on the store. Other hosts may share the store, so
 * whatever changes the team happens within {@link exclusive}.
 */
export class Session {
  readonly #options: SessionOptions;
  #record: TeamRecord;
  #team: Team;
  #detach: () => void = () => {};
  #journal: TeamJournal;
  #holders = 0;
  #checkpoint = 0;
  /** When the team last came to rest, where the store does not know it yet. */
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

  /** The store's number for the team: another one under the same id is another team. */
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

  /** The team as it is now, also when another host runs it. What a host that died left open is closed first. */
  current(): TeamState {
    if (this.#team.isRunning) return this.#team.state;
    this.#catchUp();
    if (this.#team.state.run !== null && this.#options.store.locks.take(this.#record.key)) {
      // The claim is this host's, so the one that ran the team has died.
      this.#acquire();
      this.#release();
    }
    return this.#team.state;
  }

  /** What one sees who looks into the team as it is now, also when another host runs it. `see` changes nothing. */
  read<T>(see: (team: Team) => T): T {
    this.current();
    return see(this.#team);
  }

  /**
   * Does something to the team while no other host can. The claim lasts until the work is done and no run is in progress.
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

  /** Puts a saved state in the place of the team's own. @throws GavelError `TeamBusy` while a run is in progress, here or elsewhere. */
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

  /** Puts another definition in the place of the team's, with its thread kept. @throws GavelError `TeamBusy` while it runs. */
  redefine(definition: TeamDefinition, uri: string | undefined): void {
    if (this.#team.isRunning) throw teamBusy(this.teamId);
    this.#acquire();
    try {
      this.#options.store.teams.redefine(this.#record.key, definition, uri, new Date().toISOString());
      this.#record = { ...this.#record, definition, uri };
      this.#team = this.#build();
    } finally {
      this.#release();
    }
  }

  /** Forgets the team with all that is stored of it. @throws GavelError `TeamBusy` while it runs. */
  delete(): void {
    if (this.#team.isRunning) throw teamBusy(this.teamId);
    this.#acquire();
    try {
      this.#detach();
      this.#options.store.teams.delete(this.#record.key);
    } finally {
      this.#release();
    }
  }

  #acquire(): void {
    this.#claim();
    this.#holders++;
    try {
      // Whoever had the team before has added what this host does not know.
      if (this.#holders === 1) this.#catchUp();
      this.#team.recover();
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #release(): void {
    this.#holders--;
    this.#releaseClaimAtRest();
  }

  #claim(): void {
    const { store } = this.#options;
    if (store.teams.key(this.teamId) !== this.#record.key) throw unknownTeam(this.teamId);
    if (!store.locks.take(this.#record.key)) throw teamBusyElsewhere(this.teamId);
  }

  #releaseClaimAtRest(): void {
    if (this.#holders > 0 || this.#team.isRunning) return;
    const { store } = this.#options;
    this.#safely(() => {
      if (this.#settledAt !== undefined) store.teams.summarize(this.#record.key, this.#team.state, this.#settledAt);
      this.#settledAt = undefined;
      store.locks.release(this.#record.key);
    });
  }

  /** Takes in what another host has added, and tells it. */
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
    const { store, parts, user } = this.#options;
    const record = this.#record;
    const stored = store.load(record);
    const kept = store.journal(record);
    this.#journal = kept;
    let isCurrent = true;
    const journal: Journal = {
      append: (event) => {
        if (!isCurrent) throw storageError(`Team "${record.teamId}" was opened anew; its former body writes no more.`);
        // A run that the team begins by itself finds the claim of the one before released.
        if (event.type === "run/started" && this.#holders === 0) this.#claim();
        kept.append(event);
      },
      appendTransient: (event) => kept.appendTransient(event),
    };
    const { teamId, definition, uri } = record;
    const team = createTeam({ teamId, definition, uri, parts, user, journal, stored });
    const unlisten = team.onEvent((event) => this.#safely(() => this.#onEvent(event, team, kept)));
    this.#detach = () => {
      isCurrent = false;
      unlisten();
    };
    this.#checkpoint = stored.checkpoint;
    this.#saveCheckpoint(team.state, CHECKPOINT_EVERY);
    return team;
  }

  #onEvent(event: TeamEvent, team: Team, journal: TeamJournal): void {
    this.#options.publisher.publish(this.teamId, event, journal);
    if (!("seq" in event)) return;
    const isOwnEnd = event.type === "run/ended" && event.path === undefined;
    if (isOwnEnd && event.stopReason !== StopReason.toolInterrupt) this.#options.runEnded(this.teamId);
    const settles = ENDS_ACTIVITY.has(event.type);
    if (settles) {
      this.#settledAt = event.at;
      setImmediate(() => {
        this.#releaseClaimAtRest();
        this.#safely(() => this.#options.store.tidy());
      });
    }
    // The team may have gone on to a later event, which is not told yet.
    if (team.state.lastSeq === event.seq)
      this.#saveCheckpoint(team.state, settles ? CHECKPOINT_AT_REST : CHECKPOINT_EVERY);
  }

  #saveCheckpoint(state: TeamState, behind: number): void {
    if (state.lastSeq - this.#checkpoint < behind) return;
    this.#options.store.checkpoint(this.#record.key, state);
    this.#checkpoint = state.lastSeq;
  }

  /** For what follows from an event that has happened: its failure is told in the log, and changes nothing about the event. */
  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.warn(messageOf(error));
    }
  }
}
