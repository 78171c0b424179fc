import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import {
  GavelError,
  messageOf,
  storageError,
  teamBusy,
  teamBusyElsewhere,
  unknownTeam,
} from "../../../shared/contract/errors.ts";
import { type DurableEvent, isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import { STORAGE_FAILED, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { createTeam, type Journal, type Team, type TeamParts, type ToolAnswers } from "../../engine/index.ts";
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
 * What a change needs of the store: `nothing`, as an interrupt has to work always; that it can be written, as for a run,
 * whose result says if that ends; or that the change is stored.
 */
export type Needs = "nothing" | "writable" | "stored";

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
  /** While the team is claimed for this host. */
  #entering: Promise<void> | undefined;
  /** While the team itself is replaced or deleted. */
  #replacing: Promise<void> | undefined;
  #checkpoint = 0;
  /** When the team last came to rest, until that is stored. */
  #settledAt: string | undefined;

  constructor(record: TeamRecord, options: SessionOptions) {
    this.#options = options;
    this.#record = record;
    ({ team: this.#team, journal: this.#journal } = this.#build());
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

  /** True while events wait because they could not be stored. */
  get hasUnstored(): boolean {
    return this.#journal.hasUnstored && this.#journal.state !== "lost";
  }

  /** The events that are told although they are not stored, as the user has decided to continue without saving. */
  get toldUnstored(): readonly DurableEvent[] {
    return this.#journal.toldUnstored;
  }

  /** The team as this host knows it. */
  get state(): TeamState {
    return this.#team.state;
  }

  /** The team as it is now, also when another host runs it. If that host has died, its run is closed first. */
  async current(): Promise<TeamState> {
    if (this.#team.isRunning) return this.#team.state;
    this.#catchUp();
    if (this.#team.state.run !== null && !this.#team.isRunning) await this.#takeOver();
    return this.#team.state;
  }

  /** Reads from the team as it is now, also when another host runs it. `work` must not change it. */
  async read<T>(work: (team: Team) => T | Promise<T>): Promise<T> {
    await this.current();
    return work(this.#team);
  }

  /**
   * Changes the team while no other host can. The lock is held until the work is done and no run is in progress.
   * @throws GavelError `TeamBusy` when another host runs the team, `UnknownTeam` when one deleted it, `StorageError` when
   * the store is not as `needs` says.
   */
  async exclusive<T>(work: (team: Team) => T | Promise<T>, needs: Needs = "stored"): Promise<T> {
    this.#holders++;
    try {
      while (this.#replacing !== undefined) await this.#replacing;
      // A team that this host has claimed is changed at once: an interrupt does not wait for the disk.
      const entering = this.#enter();
      if (entering !== undefined) await entering;
      if (needs !== "nothing" && this.#journal.state === "failing") await this.#assertWritable();
      const result = await work(this.#team);
      if (needs === "stored") await this.#assertStored();
      return result;
    } finally {
      this.#holders--;
      this.#releaseAtRest();
    }
  }

  /**
   * Runs the team as {@link exclusive} does. A run whose end could not be stored has failed, whatever it came to: its result
   * would be lost with the host.
   */
  async run(work: (team: Team) => Promise<TaskResult>): Promise<TaskResult> {
    return this.#storedResult(await this.exclusive(work, "writable"));
  }

  /** Resolves pending calls as {@link exclusive} does, and the run that follows as {@link run}. */
  async resolveTools(answers: ToolAnswers): Promise<{ readonly remaining: string[]; readonly result?: TaskResult }> {
    const { remaining, result } = await this.exclusive((team) => team.resolveTools(answers), "writable");
    return { remaining: [...remaining], ...(result === undefined ? {} : { result: await this.#storedResult(result) }) };
  }

  async #storedResult(result: TaskResult): Promise<TaskResult> {
    await this.#journal.settled();
    const { state, message } = this.#options.store.health.status;
    if (this.#journal.state !== "failing" || state !== "failing") return result;
    const status = { code: "error" as const, reason: STORAGE_FAILED, ...(message === undefined ? {} : { message }) };
    return result.status.code === "error" ? result : { ...result, stopReason: null, status };
  }

  /** The whole state as plain JSON. @throws GavelError `TeamBusy` while a run is in progress, here or elsewhere. */
  async save(): Promise<SavedState> {
    const { run } = await this.current();
    if (run !== null && !this.#team.isRunning) throw teamBusyElsewhere(this.teamId);
    return this.#team.save();
  }

  async stop(): Promise<void> {
    const { run } = await this.current();
    if (run !== null && !this.#team.isRunning) throw teamBusyElsewhere(this.teamId);
    this.#team.stop();
  }

  /** Replaces the team's definition and keeps its thread. @throws GavelError `TeamBusy` while it runs. */
  async redefine(definition: TeamDefinition, uri: string | undefined): Promise<void> {
    if (this.#team.isRunning) throw teamBusy(this.teamId);
    await this.#replace(async () => {
      this.#team.beforeRedefinition(definition);
      await this.#assertStored();
      await this.#options.store.teams.redefine(this.#record.key, definition, uri, new Date().toISOString());
      this.#record = { ...this.#record, definition, uri };
      this.#rebuild();
    });
  }

  /** Deletes the team and everything stored for it. @throws GavelError `TeamBusy` while it runs. */
  async delete(): Promise<void> {
    if (this.#team.isRunning) throw teamBusy(this.teamId);
    await this.#replace(async () => {
      await this.#options.store.teams.delete(this.#record.key);
      this.#detach();
      this.#options.runEnded(this.teamId);
    });
  }

  /** Nothing else changes the team meanwhile. */
  async #replace(work: () => Promise<void>): Promise<void> {
    await this.exclusive((team) => {
      if (team.isRunning) throw teamBusy(this.teamId);
      const replaced = work();
      this.#replacing = replaced.catch(() => {}).finally(() => (this.#replacing = undefined));
      return replaced;
    });
  }

  /** Claims the team for this host and brings it up to date; undefined if that is so already. */
  #enter(): Promise<void> | undefined {
    if (this.#entering !== undefined) return this.#entering;
    const isCurrent = this.#options.store.locks.isHeld(this.#record.key) && this.#journal.state !== "lost";
    if (this.#team.isRunning || isCurrent) return undefined;
    this.#entering = this.#claim().finally(() => (this.#entering = undefined));
    return this.#entering;
  }

  async #claim(): Promise<void> {
    const { store } = this.#options;
    if (!this.hasUnstored && store.teams.key(this.teamId) !== this.#record.key) throw unknownTeam(this.teamId);
    if (!(await this.#takeLock())) throw teamBusyElsewhere(this.teamId);
    // The host that had the lock before may have added events.
    this.#catchUp();
    this.#team.recover();
  }

  /** @throws GavelError `StorageError`, unless the user has decided to continue without saving. */
  async #takeLock(): Promise<boolean> {
    const { locks, health } = this.#options.store;
    try {
      return await locks.take(this.#record.key);
    } catch (error) {
      if (!(error instanceof GavelError)) throw error;
      health.failed(error);
      if (health.status.state !== "unsaved") throw error;
      return true;
    }
  }

  /** Closes the run of a host that has died. A look at a team never keeps a living host from running it. */
  async #takeOver(): Promise<void> {
    this.#holders++;
    try {
      const { locks } = this.#options.store;
      if (!(await locks.take(this.#record.key, true))) return;
      this.#catchUp();
      this.#team.recover();
      await this.#journal.settled();
    } finally {
      this.#holders--;
      this.#releaseAtRest();
    }
  }

  /** @throws GavelError `StorageError` while what waits cannot be stored. */
  async #assertWritable(): Promise<void> {
    const { message } = await this.#options.store.health.retry();
    if (this.#journal.state === "failing") throw storageError(message ?? "The store cannot be written.");
  }

  /** @throws GavelError `StorageError` when the change could not be stored, or another host was faster. */
  async #assertStored(): Promise<void> {
    await this.#journal.settled();
    if (this.#journal.state === "lost") throw teamBusyElsewhere(this.teamId);
    if (this.#journal.state === "failing") await this.#assertWritable();
  }

  /** The lock is kept while events wait to be stored: no other host may add events before them. */
  #releaseAtRest(): void {
    const { store } = this.#options;
    const mustWait = this.#journal.state !== "saving" && this.hasUnstored;
    if (this.#holders > 0 || this.#team.isRunning || mustWait || !store.locks.isHeld(this.#record.key)) return;
    const at = this.#settledAt;
    this.#settledAt = undefined;
    if (at !== undefined) this.#logFailure(store.teams.summarize(this.#record.key, this.#team.state, at));
    this.#logFailure(store.locks.release(this.#record.key));
  }

  /** Loads and publishes the events that another host has added. */
  #catchUp(): void {
    if (this.#team.isRunning || this.hasUnstored) return;
    const { store, publisher } = this.#options;
    const { lastSeq, run } = this.#team.state;
    const isBehind = store.events.lastSeq(this.#record.key) > lastSeq;
    if (!isBehind && run === null && this.#journal.state !== "lost") return;
    if (store.teams.key(this.teamId) !== this.#record.key) throw unknownTeam(this.teamId);
    this.#record = store.teams.get(this.teamId) ?? this.#record;
    this.#rebuild();
    // Another host may add events at any time: those that are told are those that the state has.
    for (const event of store.events.all(this.#record.key, lastSeq)) {
      if (event.seq > this.#team.state.lastSeq) break;
      publisher.publish(this.teamId, event, STORED);
    }
  }

  #rebuild(): void {
    this.#detach();
    ({ team: this.#team, journal: this.#journal } = this.#build());
  }

  #build(): { readonly team: Team; readonly journal: TeamJournal } {
    const { store, parts, user, log } = this.#options;
    const record = this.#record;
    const stored = store.load(record);
    // Emptied when the team is replaced, so that what still knows the journal does not keep the team in memory.
    const current: { team?: Team; unlisten?: () => void; isReplaced?: true } = {};
    const kept = store.journal(record, {
      isRunning: () => current.team?.isRunning === true,
      changed: (changed, error) => {
        if (!current.isReplaced) this.#journalChanged(changed, error);
      },
    });
    const journal: Journal = {
      append: (event) => {
        if (current.isReplaced)
          throw storageError(`Team "${record.teamId}" was reloaded; this copy of it cannot be changed.`);
        kept.append(event);
      },
      appendTransient: (event) => kept.appendTransient(event),
      durable: (seq) => kept.durable(seq),
    };
    const { teamId, definition, uri } = record;
    const teamLog = new TeamLog(log, definition.name, teamId);
    const team = createTeam({ teamId, definition, uri, parts, user, journal, stored });
    current.team = team;
    current.unlisten = team.onEvent((event) => this.#onEvent(event, kept, teamLog));
    this.#detach = () => {
      current.unlisten?.();
      delete current.team;
      delete current.unlisten;
      current.isReplaced = true;
      store.health.forget(kept);
    };
    this.#checkpoint = stored.checkpoint;
    this.#saveCheckpoint(team.state, CHECKPOINT_EVERY);
    void store.prepareHistory(record.key);
    return { team, journal: kept };
  }

  #journalChanged(journal: TeamJournal, error: GavelError | undefined): void {
    const { publisher, store } = this.#options;
    publisher.stored(this.teamId);
    if (journal.state === "lost") publisher.drop(this.teamId, journal);
    const goesOn = journal.state === "failing" && store.health.status.state === "unsaved";
    if (error !== undefined && journal.state !== "unsaved" && !goesOn) this.#team.fail(error);
    this.#releaseAtRest();
  }

  #onEvent(event: TeamEvent, journal: TeamJournal, teamLog: TeamLog): void {
    this.#options.publisher.publish(this.teamId, event, journal);
    if (!isDurable(event)) return;
    teamLog.event(event);
    const isOwnEnd = event.type === "run/ended" && event.path === undefined;
    if (isOwnEnd && event.stopReason !== StopReason.toolInterrupt) this.#options.runEnded(this.teamId);
    const settles = ENDS_ACTIVITY.has(event.type);
    if (settles) {
      this.#settledAt = event.at;
      setImmediate(() => this.#releaseAtRest());
    }
    // The team may already be at a later event, which is not published yet.
    const { state } = this.#team;
    if (state.lastSeq === event.seq) this.#saveCheckpoint(state, settles ? CHECKPOINT_AT_REST : CHECKPOINT_EVERY);
  }

  #saveCheckpoint(state: TeamState, behind: number): void {
    if (state.lastSeq - this.#checkpoint < behind) return;
    void this.#options.store.prepareHistory(this.#record.key);
    this.#checkpoint = state.lastSeq;
    this.#logFailure(this.#options.store.checkpoint(this.#record.key, state));
  }

  /** For work that follows an event: a failure is logged, and does not affect the event. */
  #logFailure(work: Promise<void>): void {
    work.catch((error: unknown) => this.#options.log.warn(messageOf(error)));
  }
}
