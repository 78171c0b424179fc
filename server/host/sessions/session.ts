import { isDeepStrictEqual } from "node:util";
import type { CommandEnd } from "../../../shared/contract/background-command.ts";
import type { Checkpoint } from "../../../shared/contract/checkpoint.ts";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { type GavelError, teamBusy, teamBusyElsewhere, unknownTeam } from "../../../shared/contract/errors.ts";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { ParticipantsChanged } from "../../../shared/contract/participant-change.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { CommandToStart, Team, ToolAnswers } from "../../engine/index.ts";
import type { UnstoredTeam } from "../store/records/new-team.ts";
import type { TeamJournal } from "../store/records/team-journal.ts";
import type { TeamRecord } from "../store/records/team-records.ts";
import type { LoadedTeam as StoredState } from "../store/store.ts";
import { assertHere } from "./assert-here.ts";
import { checkpointsOf, stateAt } from "./checkpoints.ts";
import { readSavedState } from "./saved-state.ts";
import { type Needs, type RunStart, Saving } from "./saving.ts";
import type { SessionOptions } from "./session-options.ts";
import { type Claim, type Prepare, SharedTeam } from "./shared-team.ts";
import { writeStateFile } from "./state-file.ts";

/**
 * One team in this host: the team as loaded from the store, and its lock. Other hosts may share the store, so every change
 * to the team happens within {@link exclusive}.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #shared: SharedTeam;
  readonly #saving: Saving;
  /** While the team itself is replaced or deleted. */
  #replacing: Promise<void> | undefined;
  #isDeleted = false;

  private constructor(record: TeamRecord, stored: StoredState, options: SessionOptions, unstored?: UnstoredTeam) {
    this.#options = options;
    this.#saving = new Saving(options.store.health);
    this.#shared = new SharedTeam(record, stored, options, unstored);
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
    return this.#shared.isBusy;
  }

  /** True while events wait because they could not be stored. */
  get hasUnstored(): boolean {
    return this.#shared.hasUnstored;
  }

  /** The events that are told although they are not stored, as the user has decided to continue without saving. */
  get toldUnstored(): readonly DurableEvent[] {
    return this.#journal.toldUnstored;
  }

  /** The team as this host knows it. */
  get state(): TeamState {
    return this.#shared.state;
  }

  /** The team as it is now, also when another host runs it. If that host has died, its run is closed first. */
  current(): Promise<TeamState> {
    return this.#shared.current();
  }

  /** Ends the run in progress, keeping what it has so far: what it needs has failed. */
  fail(error: GavelError): void {
    this.#shared.fail(error);
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
    prepare: Prepare = (team) => team.prepare(),
  ): Promise<T> {
    this.#shared.hold();
    try {
      while (this.#replacing !== undefined) await this.#replacing;
      if (this.#isDeleted) throw unknownTeam(this.teamId);
      // A team that this host has claimed is changed at once: an interrupt does not wait for the disk. Requests take effect
      // in their order, as those that come first wait for the same claim.
      const entering = this.#shared.enter(claim, prepare);
      if (entering !== undefined) await entering;
      const preparing = needs === "nothing" ? undefined : prepare(this.#team);
      if (preparing !== undefined) await preparing;
      if (needs !== "nothing" && this.#journal.state === "failing") await this.#saving.assertWritable(this.#journal);
      // Another host has the team: nothing of the work would be stored.
      if (needs !== "nothing" && this.#journal.lostBecause !== undefined) throw this.#journal.lostBecause;
      const result = await work(this.#team);
      if (needs === "stored") await this.#saving.assertStored(this.#journal);
      return result;
    } finally {
      this.#shared.letGo();
    }
  }

  /**
   * Runs the team as {@link exclusive} does. A run whose end could not be stored has failed, whatever it came to: its result
   * would be lost with the host.
   */
  async run(work: (team: Team) => Promise<TaskResult>): Promise<TaskResult> {
    this.#assertHere();
    const { start, result } = await this.exclusive(
      async (team) => ({ start: this.#now, result: await work(team) }),
      "writable",
      "withEvents",
      (team) => team.prepareRun(),
    );
    return this.#saving.resultOf(result, start);
  }

  /** Resolves pending calls as {@link exclusive} does, and the run that follows as {@link run}. */
  async resolveTools(answers: ToolAnswers): Promise<{ readonly remaining: string[]; readonly result?: TaskResult }> {
    this.#assertHere();
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

  /** Writes the whole state to a file, and returns its size in bytes. @throws GavelError `TeamBusy`, `StorageError`. */
  async saveFile(path: string): Promise<number> {
    const { run } = await this.current();
    if (run !== null && !this.#team.isRunning) throw teamBusyElsewhere(this.teamId);
    await this.#team.prepare();
    return writeStateFile(path, this.#team.save());
  }

  /** Ends the run after this turn; with `withdraw`, not any more. @throws GavelError `TeamBusy` if it runs elsewhere. */
  async stop(withdraw: boolean): Promise<void> {
    const { run } = await this.current();
    if (run !== null && !this.#team.isRunning) throw teamBusyElsewhere(this.teamId);
    if (withdraw) this.#team.withdrawStop();
    else this.#team.stop();
  }

  /**
   * Records that a call starts a command in the background, and returns its id once that is stored. The team stays claimed
   * for this host until the command has ended. @throws what `Team.startCommand` throws, GavelError `StorageError`.
   */
  async startCommand(command: CommandToStart): Promise<string> {
    let id: string | undefined;
    try {
      return await this.exclusive((team) => {
        id = team.startCommand(command);
        this.#shared.keepFor(id);
        return id;
      });
    } catch (error) {
      if (id !== undefined) await this.endCommand(id, { problem: "its start could not be stored" });
      throw error;
    }
  }

  /** Records that a background command has ended. */
  async endCommand(id: string, end: CommandEnd): Promise<void> {
    try {
      await this.exclusive(
        (team) => team.endCommand(id, end),
        "nothing",
        "first",
        () => undefined,
      );
    } finally {
      this.#shared.keepNoLongerFor(id);
    }
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
    let from = 0;
    await this.#replace(async () => {
      from = this.#team.state.lastSeq;
      const then = await stateAt(this.#record, seq, this.#options);
      const { definition } = this.#team.state;
      // The participants of then, also where those of the team file were not changed yet.
      const whole = definition === undefined ? then : { ...then, definition: then.definition ?? this.definition };
      const state = readSavedState(whole, this.#team.state);
      await this.#team.prepare();
      if (this.#team.isRunning || this.#team.state.lastSeq !== from) throw teamBusy(this.teamId);
      await this.#withDefinition(() => this.#team.rewind(state));
    });
    return { state: this.#team.state, from };
  }

  /**
   * Replaces the state with a saved one, which has been checked, and the participants with those that it has.
   * @throws GavelError `TeamBusy` while it runs.
   */
  async load(read: (team: TeamState) => SavedState): Promise<TeamState> {
    await this.#replace(() => this.#withDefinition(() => this.#team.load(read(this.#team.state))));
    return this.#team.state;
  }

  /** Changes who takes part. @throws GavelError `TeamBusy` while it runs, and what `change` throws. */
  async changeParticipants(change: (definition: TeamDefinition) => ParticipantsChanged): Promise<TeamState> {
    await this.#replace(() =>
      this.#withDefinition(() => this.#team.changeParticipants(change(this.#team.state.definition ?? this.definition))),
    );
    return this.#team.state;
  }

  /** Does something that may change the team's definition, and then makes the team of the changed one. */
  async #withDefinition(work: () => void): Promise<void> {
    const { definition } = this.#team.state;
    work();
    if (isDeepStrictEqual(this.#team.state.definition, definition)) return;
    await this.#saving.assertStored(this.#journal);
    await this.#shared.reload(this.#record);
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
      await this.#shared.reload({ ...this.#record, definition, uri });
    });
  }

  /** Deletes the team and everything stored for it. @throws GavelError `TeamBusy` while it runs. */
  async delete(): Promise<void> {
    if (this.#team.isRunning) throw teamBusy(this.teamId);
    await this.#options.endCommands(this.teamId);
    await this.#replace(async () => {
      // What waits of a team that is not in the store is never stored once the team is detached.
      if (await this.#saving.isInStore(this.#journal)) {
        await this.#saving.change(this.#journal, `Team "${this.teamId}" was not deleted`, () =>
          this.#options.store.teams.delete(this.#record.key),
        );
      }
      this.#isDeleted = true;
      this.#shared.detach();
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

  #assertHere(): void {
    if (this.#options.store.lease !== undefined) assertHere(this.#record);
  }

  get #record(): TeamRecord {
    return this.#shared.record;
  }

  get #team(): Team {
    return this.#shared.team;
  }

  get #journal(): TeamJournal {
    return this.#shared.journal;
  }

  get #now(): RunStart {
    return { journal: this.#journal, seq: this.#team.state.lastSeq };
  }
}
