import type { Checkpoint } from "../../../shared/contract/checkpoint.ts";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { GavelError, messageOf, teamBusy, teamBusyElsewhere, unknownTeam } from "../../../shared/contract/errors.ts";
import { type DurableEvent, isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { Team, ToolAnswers } from "../../engine/index.ts";
import type { UnstoredTeam } from "../store/records/new-team.ts";
import type { TeamJournal } from "../store/records/team-journal.ts";
import type { TeamRecord } from "../store/records/team-records.ts";
import type { LoadedTeam as StoredState } from "../store/store.ts";
import { checkpointsOf, stateAt } from "./checkpoints.ts";
import { STORED } from "./event-publisher.ts";
import { type LoadedTeam, loadTeam } from "./load-team.ts";
import { readSavedState } from "./saved-state.ts";
import { type Needs, type RunStart, Saving } from "./saving.ts";
import type { SessionOptions } from "./session-options.ts";

/** Events of a team at rest that change its entry in the list of teams. */
const ENDS_ACTIVITY: ReadonlySet<TeamEvent["type"]> = new Set([
  "run/ended",
  "team/reset",
  "state/loaded",
  "message/edited",
  "message/dropped",
]);

/**
 * When the team is claimed for this host: `first`, before anything is changed; `withEvents`, with the first events of a run
 * where no other host has it, so that the run does not wait for the disk.
 */
type Claim = "first" | "withEvents";

/**
 * One team in this host: the team as loaded from the store, and its lock. Other hosts may share the store, so every change
 * to the team happens within {@link exclusive}.
 */
export class Session {
  readonly #options: SessionOptions;
  #record: TeamRecord;
  readonly #saving: Saving;
  #loaded: LoadedTeam;
  #holders = 0;
  /** While the team is claimed for this host. */
  #entering: Promise<void> | undefined;
  /** While the team itself is replaced or deleted. */
  #replacing: Promise<void> | undefined;
  /** The last look for what another host has added: one at a time. */
  #catchingUp: Promise<void> = Promise.resolve();
  /** When the team last came to rest, until that is stored. */
  #settledAt: string | undefined;

  private constructor(record: TeamRecord, stored: StoredState, options: SessionOptions, unstored?: UnstoredTeam) {
    this.#options = options;
    this.#record = record;
    this.#saving = new Saving(options.store.health);
    this.#loaded = this.#load(record, stored, unstored);
  }

  /** @throws GavelError `StorageError`, and what `createTeam` throws. */
  static async open(record: TeamRecord, options: SessionOptions): Promise<Session> {
    return new Session(record, await options.store.load(record), options);
  }

  /** A new team while the user continues without saving. */
  static async openUnstored(team: UnstoredTeam, options: SessionOptions): Promise<Session> {
    return new Session(team, await options.store.load(team), options, team);
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

  /** True during a run, and while the team is being claimed, probably for one. */
  get isBusy(): boolean {
    return this.#team.isRunning || this.#entering !== undefined;
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
    // A run that was asked for before has begun then.
    await this.#entering?.catch(() => {});
    if (this.#team.isRunning) return this.#team.state;
    await this.#catchUp();
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
  async exclusive<T>(
    work: (team: Team) => T | Promise<T>,
    needs: Needs = "stored",
    claim: Claim = "first",
  ): Promise<T> {
    this.#holders++;
    try {
      while (this.#replacing !== undefined) await this.#replacing;
      // A team that this host has claimed is changed at once: an interrupt does not wait for the disk. Requests take effect
      // in their order, as those that come first wait for the same claim.
      const entering = this.#enter(claim);
      if (entering !== undefined) await entering;
      const preparing = needs === "nothing" ? undefined : this.#team.prepare();
      if (preparing !== undefined) await preparing;
      if (needs !== "nothing" && this.#journal.state === "failing") await this.#saving.assertWritable(this.#journal);
      const result = await work(this.#team);
      if (needs === "stored") await this.#saving.assertStored(this.#journal);
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
    const { start, result } = await this.exclusive(
      async (team) => ({ start: this.#now, result: await work(team) }),
      "writable",
      "withEvents",
    );
    return this.#saving.resultOf(result, start);
  }

  /** Resolves pending calls as {@link exclusive} does, and the run that follows as {@link run}. */
  async resolveTools(answers: ToolAnswers): Promise<{ readonly remaining: string[]; readonly result?: TaskResult }> {
    const { start, remaining, result } = await this.exclusive(
      async (team) => ({ start: this.#now, ...(await team.resolveTools(answers)) }),
      "writable",
    );
    return {
      remaining: [...remaining],
      ...(result === undefined ? {} : { result: await this.#saving.resultOf(result, start) }),
    };
  }

  /** The whole state as plain JSON. @throws GavelError `TeamBusy` while a run is in progress, here or elsewhere. */
  async save(): Promise<SavedState> {
    const { run } = await this.current();
    if (run !== null && !this.#team.isRunning) throw teamBusyElsewhere(this.teamId);
    await this.#team.prepareSave();
    return this.#team.save();
  }

  async stop(): Promise<void> {
    const { run } = await this.current();
    if (run !== null && !this.#team.isRunning) throw teamBusyElsewhere(this.teamId);
    this.#team.stop();
  }

  /** The points that the team can go back to, the last first. */
  async checkpoints(): Promise<Checkpoint[]> {
    await this.current();
    return checkpointsOf(this.key, this.#options);
  }

  /**
   * Takes the team back to its state right after an event. Returns the last event before that.
   * @throws GavelError `TeamBusy` while a run is in progress, `InvalidParams` (see {@link stateAt}).
   */
  async rewind(seq: number): Promise<{ readonly state: TeamState; readonly from: number }> {
    return this.exclusive(async (team) => {
      if (team.isRunning) throw teamBusy(this.teamId);
      const from = team.state.lastSeq;
      const state = readSavedState(await stateAt(this.#record, seq, this.#options), team.state);
      await team.prepare();
      if (team.isRunning || team.state.lastSeq !== from) throw teamBusy(this.teamId);
      team.rewind(state);
      return { state: team.state, from };
    });
  }

  /** Replaces the team's definition and keeps its thread. @throws GavelError `TeamBusy` while it runs. */
  async redefine(definition: TeamDefinition, uri: string | undefined): Promise<void> {
    if (this.#team.isRunning) throw teamBusy(this.teamId);
    await this.#replace(async () => {
      await this.#saving.change(this.#journal, `Team "${this.teamId}" keeps its definition`, async () => {
        this.#team.beforeRedefinition(definition);
        await this.#saving.assertStored(this.#journal);
        await this.#options.store.teams.redefine(this.#record.key, definition, uri, new Date().toISOString());
      });
      await this.#replaceTeam({ ...this.#record, definition, uri });
    });
  }

  /** Deletes the team and everything stored for it. @throws GavelError `TeamBusy` while it runs. */
  async delete(): Promise<void> {
    if (this.#team.isRunning) throw teamBusy(this.teamId);
    await this.#replace(async () => {
      // What waits of a team that is not in the store is never stored once the team is detached.
      if (await this.#saving.isInStore(this.#journal)) {
        await this.#saving.change(this.#journal, `Team "${this.teamId}" was not deleted`, () =>
          this.#options.store.teams.delete(this.#record.key),
        );
      }
      this.#loaded.detach();
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

  get #team(): Team {
    return this.#loaded.team;
  }

  get #journal(): TeamJournal {
    return this.#loaded.journal;
  }

  get #now(): RunStart {
    return { journal: this.#journal, seq: this.#team.state.lastSeq };
  }

  /** Claims the team for this host and brings it up to date; undefined if there is nothing to wait for. */
  #enter(claim: Claim): Promise<void> | undefined {
    if (this.#entering !== undefined) return this.#entering;
    const isCurrent = this.#options.store.locks.isHeld(this.#record.key) && this.#journal.state !== "lost";
    if (this.#team.isRunning) return undefined;
    const isPrepared = this.#team.prepare() === undefined;
    if (isPrepared && (isCurrent || (claim === "withEvents" && this.#isClaimedByEvents()))) return undefined;
    const entering = isCurrent ? this.#prepare() : this.#claim().then(() => this.#prepare());
    this.#entering = entering.finally(() => (this.#entering = undefined));
    return this.#entering;
  }

  /** Whether the team is at rest as this host knows it, so that its next events can claim it. */
  #isClaimedByEvents(): boolean {
    const { locks, health } = this.#options.store;
    const { run, lastSeq } = this.#team.state;
    const isSaving = health.status.state === "saving" && this.#journal.state === "saving" && !this.hasUnstored;
    return isSaving && run === null && locks.takeWithEvents(this.#record.key, lastSeq);
  }

  /** Reads the history; what needs it says why that fails. */
  async #prepare(): Promise<void> {
    await this.#team.prepare()?.catch(() => {});
  }

  async #claim(): Promise<void> {
    const { store } = this.#options;
    if (!this.hasUnstored && (await store.teams.key(this.teamId)) !== this.#record.key) throw unknownTeam(this.teamId);
    if (!(await this.#takeLock())) throw teamBusyElsewhere(this.teamId);
    // The host that had the lock before may have added events.
    await this.#catchUp();
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

  /**
   * Closes the run of a host that has died. A look at a team never keeps a living host from running it, and where nothing
   * can be written it shows the team as it was.
   */
  async #takeOver(): Promise<void> {
    this.#holders++;
    try {
      const { locks } = this.#options.store;
      if (!(await locks.take(this.#record.key, true).catch(() => false))) return;
      await this.#catchUp();
      this.#team.recover();
      await this.#journal.settled();
    } finally {
      this.#holders--;
      this.#releaseAtRest();
    }
  }

  /** The lock is kept while events wait to be stored: no other host may add events before them. */
  #releaseAtRest(): void {
    const { store } = this.#options;
    const mustWait = this.#journal.state !== "saving" && this.hasUnstored;
    if (this.#holders > 0 || this.#team.isRunning || mustWait || !store.locks.canRelease(this.#record.key)) return;
    const at = this.#settledAt;
    this.#settledAt = undefined;
    const { key } = this.#record;
    const summarized = at === undefined ? undefined : store.teams.summarize(key, this.#team.state, at);
    Promise.all([summarized, store.locks.release(key)]).catch((error: unknown) => {
      this.#options.log.warn(messageOf(error));
      this.#settledAt ??= at;
      // Until then no other host can run the team.
      if (error instanceof GavelError) store.health.failed(error, () => this.#releaseAtRest());
    });
  }

  /** Loads and publishes the events that another host has added. */
  #catchUp(): Promise<void> {
    const caughtUp = this.#catchingUp.then(() => this.#loadAdded());
    this.#catchingUp = caughtUp.catch(() => {});
    return caughtUp;
  }

  async #loadAdded(): Promise<void> {
    if (this.#team.isRunning || this.hasUnstored) return;
    const { store, publisher } = this.#options;
    const before = this.#loaded;
    const { lastSeq, run } = before.team.state;
    const { key } = this.#record;
    const isLost = before.journal.state === "lost";
    if (!isLost && run === null && (await store.events.lastSeq(key)) <= lastSeq) return;
    const record = await store.teams.get(this.teamId);
    if (record?.key !== key) throw unknownTeam(this.teamId);
    const stored = await store.load(record);
    // Another host may add events at any time: those that are told are those that the state has. What was lost was not told.
    const told = isLost ? before.journal.storedSeq : lastSeq;
    const added = await store.events.all(key, told, stored.state.lastSeq);
    // This host may have changed the team meanwhile.
    if (this.#loaded !== before || before.team.state.lastSeq !== lastSeq) return this.#loadAdded();
    if (this.#team.isRunning) return;
    this.#useTeam(record, stored);
    for (const event of added) publisher.publish(this.teamId, event, STORED);
  }

  async #replaceTeam(record: TeamRecord): Promise<void> {
    this.#useTeam(record, await this.#options.store.load(record));
  }

  #useTeam(record: TeamRecord, stored: StoredState): void {
    this.#loaded.detach();
    this.#record = record;
    this.#loaded = this.#load(record, stored);
  }

  #load(record: TeamRecord, stored: StoredState, unstored?: UnstoredTeam): LoadedTeam {
    const listeners = {
      onEvent: (event: TeamEvent, journal: TeamJournal) => this.#onEvent(event, journal),
      onJournal: (journal: TeamJournal, error: GavelError | undefined) => this.#journalChanged(journal, error),
    };
    return loadTeam(record, stored, this.#options, listeners, unstored);
  }

  #journalChanged(journal: TeamJournal, error: GavelError | undefined): void {
    const { publisher, store } = this.#options;
    publisher.stored(this.teamId);
    if (journal.state === "lost") publisher.drop(this.teamId, journal);
    const goesOn = journal.state === "failing" && store.health.status.state === "unsaved";
    if (error !== undefined && journal.state !== "unsaved" && !goesOn) this.#team.fail(error);
    this.#releaseAtRest();
  }

  #onEvent(event: TeamEvent, journal: TeamJournal): boolean {
    // What is lost is never told, and must not hold up what is told after it.
    if (journal.state !== "lost") this.#options.publisher.publish(this.teamId, event, journal);
    if (!isDurable(event)) return false;
    const isOwnEnd = event.type === "run/ended" && event.path === undefined;
    if (isOwnEnd && event.stopReason !== StopReason.toolInterrupt) this.#options.runEnded(this.teamId);
    if (!ENDS_ACTIVITY.has(event.type)) return false;
    this.#settledAt = event.at;
    setImmediate(() => this.#releaseAtRest());
    return true;
  }
}
