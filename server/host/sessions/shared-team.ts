import { GavelError, messageOf, teamBusyElsewhere, unknownTeam } from "../../../shared/contract/errors.ts";
import { isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import { runningCommands } from "../../../shared/state/command-handlers.ts";
import { missedTexts } from "../../../shared/state/missed-texts.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { Team } from "../../engine/index.ts";
import type { UnstoredTeam } from "../store/records/new-team.ts";
import type { TeamJournal } from "../store/records/team-journal.ts";
import type { TeamRecord } from "../store/records/team-records.ts";
import type { LoadedTeam as StoredState } from "../store/store.ts";
import { STORED } from "./event-publisher.ts";
import { Following } from "./following.ts";
import { type LoadedTeam, loadTeam } from "./load-team.ts";
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
export type Claim = "first" | "withEvents";

/** Reads what a change of the team needs of its history. */
export type Prepare = (team: Team) => Promise<void> | undefined;

/**
 * A team of a store that hosts may share: this host's copy, which is loaded again when another host has added events, and
 * its claim on the team, which lasts while someone holds it or the team runs.
 */
export class SharedTeam {
  readonly #options: SessionOptions;
  #record: TeamRecord;
  #loaded: LoadedTeam;
  #holders = 0;
  /** The background commands that this host runs. */
  readonly #commands = new Set<string>();
  /** While the team is claimed for this host. */
  #entering: Promise<void> | undefined;
  /** The last look for what another host has added: one at a time. */
  #catchingUp: Promise<void> = Promise.resolve();
  /** When the team last came to rest, until that is stored. */
  #settledAt: string | undefined;
  readonly #following: Following;
  /** Until the team is released again, if this host may have it. */
  #later: ReturnType<typeof setTimeout> | undefined;

  /** @throws what `createTeam` throws. */
  constructor(record: TeamRecord, stored: StoredState, options: SessionOptions, unstored?: UnstoredTeam) {
    this.#options = options;
    const { followElsewhere, publisher } = options;
    this.#following = new Following({ followElsewhere, tell: (id, event) => publisher.publish(id, event, STORED) });
    this.#record = record;
    this.#loaded = this.#load(record, stored, unstored);
  }

  get record(): TeamRecord {
    return this.#record;
  }

  get team(): Team {
    return this.#loaded.team;
  }

  /** The team as this host knows it, also where another one runs it. */
  get state(): TeamState {
    return this.#following.state ?? this.team.state;
  }

  get journal(): TeamJournal {
    return this.#loaded.journal;
  }

  /** True during a run, and while the team is being claimed, probably for one. */
  get isBusy(): boolean {
    return this.team.isRunning || this.#entering !== undefined;
  }

  /** True while events wait because they could not be stored. */
  get hasUnstored(): boolean {
    return this.journal.hasUnstored && this.journal.state !== "lost";
  }

  /** Ends the run in progress, keeping what it has so far: what it needs has failed. */
  fail(error: GavelError): void {
    if (this.team.isRunning) this.team.fail(error);
  }

  /** The team stays claimed, once it is, until {@link letGo} is called as often. */
  hold(): void {
    this.#holders++;
  }

  letGo(): void {
    this.#holders--;
    this.#releaseAtRest();
  }

  /** The team stays claimed until that background command of this host has ended. */
  keepFor(command: string): void {
    this.#commands.add(command);
  }

  keepNoLongerFor(command: string): void {
    this.#commands.delete(command);
    this.#releaseAtRest();
  }

  /** This copy can no longer be changed. */
  detach(): void {
    clearTimeout(this.#later);
    this.#loaded.detach();
  }

  /** The team as it is now, also when another host runs it. If that host has died, its run is closed first. */
  async current(): Promise<TeamState> {
    // A run that was asked for before has begun then.
    await this.#entering?.catch(() => {});
    if (this.team.isRunning || this.#following.isOn) return this.state;
    await this.#catchUp();
    const isOpen = this.team.state.run !== null || this.#hasLostCommands;
    if (isOpen && !this.team.isRunning && !(await this.#takeOver())) await this.#inOrder(() => this.#follow());
    return this.state;
  }

  /** Claims the team for this host and brings it up to date; undefined if there is nothing to wait for. */
  enter(claim: Claim, prepare: Prepare): Promise<void> | undefined {
    if (this.#entering !== undefined) return this.#entering;
    const isCurrent = this.#options.store.locks.isHeld(this.record.key) && this.journal.state !== "lost";
    if (this.team.isRunning) return undefined;
    const isPrepared = prepare(this.team) === undefined;
    if (isPrepared && (isCurrent || (claim === "withEvents" && this.#isClaimedByEvents()))) return undefined;
    const entering = isCurrent ? this.#prepare(prepare) : this.#claim().then(() => this.#prepare(prepare));
    this.#entering = entering.finally(() => (this.#entering = undefined));
    return this.#entering;
  }

  /** Whether commands run in the background that this host does not run: their host may have died. */
  get #hasLostCommands(): boolean {
    return runningCommands(this.team.state).some(({ id }) => !this.#commands.has(id));
  }

  #recover(): void {
    this.team.recover((command) => this.#commands.has(command));
  }

  /** Whether the team is at rest as this host knows it, so that its next events can claim it. */
  #isClaimedByEvents(): boolean {
    if (this.#hasLostCommands) return false;
    const { locks, health } = this.#options.store;
    const { run, lastSeq } = this.team.state;
    const isSaving = health.status.state === "saving" && this.journal.state === "saving" && !this.hasUnstored;
    return isSaving && run === null && locks.takeWithEvents(this.record.key, lastSeq);
  }

  /** Reads the history; what needs it says why that fails. */
  async #prepare(prepare: Prepare): Promise<void> {
    await prepare(this.team)?.catch(() => {});
  }

  async #claim(): Promise<void> {
    const { store } = this.#options;
    if (!this.hasUnstored && (await store.teams.key(this.record.teamId)) !== this.record.key)
      throw unknownTeam(this.record.teamId);
    if (!(await this.#takeLock())) throw teamBusyElsewhere(this.record.teamId);
    // The host that had the lock before may have added events.
    await this.#catchUpAlone();
    this.#recover();
  }

  /** @throws GavelError `StorageError`, unless the user has decided to continue without saving. */
  async #takeLock(): Promise<boolean> {
    const { locks, health } = this.#options.store;
    try {
      return await locks.take(this.record.key);
    } catch (error) {
      if (!(error instanceof GavelError)) throw error;
      health.failed(error);
      if (health.status.state !== "unsaved") throw error;
      return true;
    }
  }

  /**
   * Closes the run of a host that has died. A look at a team never keeps a living host from running it, and where nothing
   * can be written it shows the team as it was. @returns false for a team that another host runs.
   */
  async #takeOver(): Promise<boolean> {
    this.hold();
    try {
      const { locks } = this.#options.store;
      if (!(await locks.take(this.record.key, true).catch(() => false))) return false;
      await this.#catchUpAlone();
      this.#recover();
      await this.journal.settled();
      return true;
    } finally {
      this.letGo();
    }
  }

  /** The lock is kept while events wait to be stored: no other host may add events before them. */
  #releaseAtRest(): void {
    const { store } = this.#options;
    const mustWait = this.journal.state !== "saving" && this.hasUnstored;
    if (this.#holders > 0 || this.team.isRunning || mustWait || !store.locks.canRelease(this.record.key)) return;
    const at = this.#settledAt;
    this.#settledAt = undefined;
    const { key } = this.#record;
    const isDoubted = store.locks.isDoubted(key);
    const summarized = at === undefined ? undefined : store.teams.summarize(key, this.team.state, at);
    // Its own commands, which no other host could stop, keep the team claimed.
    const released = this.#commands.size > 0 ? undefined : store.locks.release(key);
    Promise.all([summarized, released]).catch((error: unknown) => {
      this.#options.log.warn(messageOf(error));
      this.#settledAt ??= at;
      // Until then no other host can run the team. One that this host only may have is tried again without a word.
      if (isDoubted) this.#releaseLater();
      else if (error instanceof GavelError) store.health.failed(error, () => this.#releaseAtRest());
    });
  }

  #releaseLater(): void {
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.#releaseAtRest();
    }, this.#options.store.lease).unref();
  }

  /** Follows the run of another host from there, where that can be reached. */
  async #follow(): Promise<void> {
    if (this.team.isRunning || this.#following.isOn) return;
    const before = this.#loaded;
    const known = this.state;
    await this.#following.begin(
      this.record.teamId,
      known,
      () => this.#loaded === before && this.state.lastSeq === known.lastSeq && !this.team.isRunning,
    );
  }

  /** Loads and publishes the events that another host has added. */
  #catchUp(): Promise<void> {
    return this.#inOrder(async () => {
      // If a claim of this host could not be released, it is not valid any more.
      if (await this.#loadAdded()) this.#options.store.locks.doubt(this.record.key);
    });
  }

  /** The same where this host has the team by now, so that no other one tells of it any more. */
  #catchUpAlone(): Promise<void> {
    return this.#inOrder(async () => {
      this.#following.leave();
      await this.#loadAdded();
    });
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#catchingUp.then(work);
    this.#catchingUp = done.catch(() => {});
    return done;
  }

  /** @returns whether other hosts have added events. */
  async #loadAdded(): Promise<boolean> {
    if (this.team.isRunning || this.hasUnstored || this.#following.isOn) return false;
    const { store, publisher } = this.#options;
    const before = this.#loaded;
    const { lastSeq, run } = before.team.state;
    const { key } = this.#record;
    const isLost = before.journal.state === "lost";
    if (!isLost && run === null && (await store.events.lastSeq(key)) <= lastSeq) return false;
    const record = await store.teams.get(this.record.teamId);
    if (record?.key !== key) throw unknownTeam(this.record.teamId);
    const stored = await store.load(record);
    // Another host may add events at any time: those that are told are those that the state has. What was lost was not told.
    const told = Math.max(isLost ? before.journal.storedSeq : lastSeq, this.#following.toldSeq);
    const added = await store.events.all(key, told, stored.state.lastSeq);
    // This host may have changed the team meanwhile.
    if (this.#loaded !== before || before.team.state.lastSeq !== lastSeq) return this.#loadAdded();
    if (this.team.isRunning) return false;
    // Where the run may be followed next, the clients have to know as much of its texts as this state does.
    const texts = isLost || !this.#following.isPossible ? [] : missedTexts(this.state, stored.state);
    this.#useTeam(record, stored);
    for (const event of [...added, ...texts]) publisher.publish(this.record.teamId, event, STORED);
    return added.length > 0;
  }

  /** Loads the team again, with another definition. */
  async reload(record: TeamRecord): Promise<void> {
    this.#useTeam(record, await this.#options.store.load(record));
  }

  #useTeam(record: TeamRecord, stored: StoredState): void {
    this.#following.end();
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
    publisher.stored(this.record.teamId);
    if (journal.state === "lost") publisher.drop(this.record.teamId, journal);
    const goesOn = journal.state === "failing" && store.health.status.state === "unsaved";
    if (error !== undefined && journal.state !== "unsaved" && !goesOn) this.team.fail(error);
    this.#releaseAtRest();
  }

  #onEvent(event: TeamEvent, journal: TeamJournal): boolean {
    // What is lost is never told, and must not hold up what is told after it.
    if (journal.state !== "lost") this.#options.publisher.publish(this.record.teamId, event, journal);
    if (!isDurable(event)) return false;
    const isOwnEnd = event.type === "run/ended" && event.path === undefined;
    if (isOwnEnd && event.stopReason !== StopReason.toolInterrupt) this.#options.runEnded(this.record.teamId);
    if (event.type === "team/reset" && event.path === undefined) void this.#options.endCommands(this.record.teamId);
    if (!ENDS_ACTIVITY.has(event.type)) return false;
    this.#settledAt = event.at;
    setImmediate(() => this.#releaseAtRest());
    return true;
  }
}
