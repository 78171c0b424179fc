import { setImmediate } from "node:timers/promises";
import { GavelError, storageError } from "../../../shared/contract/errors.ts";
import type { StorageStatus } from "../../../shared/contract/storage.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, mapValues, type TeamState } from "../../../shared/state/team-state.ts";
import type { StoredTeam } from "../../engine/index.ts";
import type { Backend } from "./backend.ts";
import { DamageNotices } from "./damage-notices.ts";
import type { Database } from "./database.ts";
import { EventLog } from "./events/event-log.ts";
import { HistorySegments } from "./events/history-segments.ts";
import { RecentHistories } from "./events/recent-histories.ts";
import type { HostIdentity } from "./host-identity.ts";
import { backendOf } from "./open-backend.ts";
import { ApprovalRecords } from "./records/approval-records.ts";
import { Checkpoints } from "./records/checkpoints.ts";
import { CommandChanges } from "./records/command-changes.ts";
import { EditJournal } from "./records/edit-journal.ts";
import { KeptFiles } from "./records/kept-files.ts";
import { creationOf, type UnstoredTeam } from "./records/new-team.ts";
import { RunLocks } from "./records/run-locks.ts";
import { TeamJournal } from "./records/team-journal.ts";
import { type TeamRecord, TeamRecords } from "./records/team-records.ts";
import type { FoundPage, MessageSearch } from "./search/find-in-teams.ts";
import { StorageHealth } from "./storage-health.ts";
import { WriteQueue } from "./write-queue.ts";

/** A stored team, and the `seq` of its checkpoint. */
export interface LoadedTeam extends StoredTeam {
  readonly checkpoint: number;
}

export interface StoreListeners {
  /** Called with what the user has to know, one sentence at a time. */
  readonly notify?: (sentence: string) => void;
  /** Called when the storage fails, and when it works again. */
  readonly statusChanged?: (status: StorageStatus) => void;
  /** Called while other hosts may soon take this host's teams, as it cannot renew its lease: what runs has to end. */
  readonly leaseAtRisk?: (error: GavelError) => void;
}

/** What a team's journal needs to know of the team, and calls when its storage fails or works again. */
export interface JournalUse {
  /** True while the team runs, so that no other host may run it. */
  readonly isRunning: () => boolean;
  /** The journal has changed its state, or stored something. `error`: what failed. */
  readonly changed: (journal: TeamJournal, error?: GavelError) => void;
  /** The `seq` of the last event that is stored already; 0 if left out. */
  readonly storedSeq?: number;
  /** The team is stored with its first events, when these can be stored. */
  readonly unstored?: UnstoredTeam | undefined;
}

/**
 * A host's durable data: one database in the storage folder or on a server, which hosts may share, or memory. Writing is
 * done in a thread of its own; reading sees what is stored, does not wait for writers, and is done in parts between which
 * the event loop turns. Every failure is a GavelError `StorageError` that names the file and says what to do.
 */
export class Store implements Disposable {
  readonly teams: TeamRecords;
  readonly events: EventLog;
  readonly locks: RunLocks;
  readonly edits: EditJournal;
  readonly kept: KeptFiles;
  readonly commandChanges: CommandChanges;
  readonly approvals: ApprovalRecords;
  /** Whether it can be written. */
  readonly health: StorageHealth;
  readonly #backend: Backend;
  readonly #queue: WriteQueue;
  readonly #notices: DamageNotices;
  readonly #database: Database;
  readonly #checkpoints: Checkpoints;
  readonly #segments: HistorySegments;
  readonly #recent: RecentHistories;
  readonly #preparing = new Set<number>();
  #isDisposed = false;
  #isOpen = false;

  /** `place`: the storage folder, or the address of a server; memory without one. */
  constructor(place?: string, { notify, statusChanged = () => {}, leaseAtRisk = () => {} }: StoreListeners = {}) {
    this.#backend = backendOf(place, {
      isRead: () => this.#isOpen,
      isUnsaved: () => this.health.status.state === "unsaved",
      ended: () => this.locks.forget(),
      lease: (failure) => {
        if (failure !== undefined) leaseAtRisk(storageError(failure));
        else if (this.health.status.state !== "saving") void this.health.retry();
      },
    });
    const { database, writer, isShared } = this.#backend;
    this.#database = database;
    const notices = new DamageNotices(notify);
    this.#notices = notices;
    this.#queue = new WriteQueue(writer);
    this.teams = new TeamRecords(this.#database, this.#queue, notices);
    this.events = new EventLog(this.#database, notices);
    this.locks = new RunLocks(this.#database, this.#queue, { isShared, hasLeases: this.#backend.lease !== undefined });
    this.edits = new EditJournal(this.#database, this.#queue);
    this.kept = new KeptFiles(this.#database, this.#queue);
    this.commandChanges = new CommandChanges(this.#database, this.#queue);
    this.approvals = new ApprovalRecords(this.#database, this.#queue);
    this.#checkpoints = new Checkpoints(this.#database, this.#queue);
    this.health = new StorageHealth({ probe: () => this.#openToWrite(), changed: statusChanged });
    this.#segments = new HistorySegments(this.#database, this.events, isShared ? this.#queue : undefined);
    this.#recent = new RecentHistories(this.#database, this.#queue, this.events, this.#segments);
  }

  /**
   * Resolves when the store can be read: made, or migrated, where needed. One that is complete can also be read when it
   * cannot be written, and one that can be neither reads as empty while the user continues without saving.
   * @throws GavelError `StorageError`.
   */
  async ready(): Promise<void> {
    if (this.#isOpen || this.health.status.state === "unsaved") return;
    try {
      await this.#openToWrite();
    } catch (error) {
      if (!(await this.#canRead())) {
        if (error instanceof GavelError) this.health.failed(error);
        throw error;
      }
    }
    this.#isOpen = true;
  }

  /** For how long a host that has died has its teams, in milliseconds; undefined where its end is known at once. */
  get lease(): number | undefined {
    return this.#backend.lease;
  }

  /** What other hosts know this one by; undefined where hosts have no leases. */
  get host(): HostIdentity | undefined {
    return this.#backend.host;
  }

  /** Resolves when everything that is queued is stored, or could not be. */
  async settled(): Promise<void> {
    await this.#queue.idle();
  }

  journal({ teamId, key }: Pick<TeamRecord, "teamId" | "key">, use: JournalUse = ALONE): TeamJournal {
    const journal = new TeamJournal({
      queue: this.#queue,
      teamId,
      key,
      storedSeq: use.storedSeq ?? 0,
      creation: use.unstored && creationOf(use.unstored),
      claim: () => {
        if (this.locks.isDue(key)) return "first";
        return use.isRunning() && !this.locks.isHeld(key) ? "again" : "no";
      },
      claimed: () => this.locks.noteTaken(key),
      changed: (journal, error) => {
        if (journal.state === "lost") this.locks.doubt(key);
        use.changed(journal, error);
        this.health.journalChanged(journal, error);
      },
    });
    if (use.unstored !== undefined) this.health.journalWaits(journal);
    return journal;
  }

  /** A team as it was last stored: the checkpoint with the later events folded into it. */
  async load(record: TeamRecord): Promise<LoadedTeam> {
    const { key } = record;
    const checkpoint = await this.#checkpoints.get(key);
    const start = checkpoint ?? initialTeamState(record.teamId, record.definition, record.uri);
    let state: TeamState = start;
    const texts = await this.events.stateTexts(key, start.lastSeq);
    for await (const events of this.events.parts(key, start.lastSeq, texts?.until, texts)) {
      for (const event of events) state = reduceTeam(state, event);
    }
    return {
      checkpoint: start.lastSeq,
      state: isStreaming(state) ? withTexts(state, await this.events.openTexts(key)) : state,
      history: () => this.#segments.history(record.key),
      recent: () => this.#recent.recent(record.key),
    };
  }

  /** Finds messages in all teams: see {@link findInTeams}. @throws GavelError `StorageError`. */
  async find(search: MessageSearch, signal: AbortSignal): Promise<FoundPage> {
    await this.ready();
    return this.#backend.search(search, signal);
  }

  /** Saves a checkpoint, so that the team opens faster. @throws GavelError `StorageError`. */
  async checkpoint(key: number, state: TeamState): Promise<void> {
    await this.#checkpoints.save(key, state);
  }

  /**
   * Prepares the history of a team for the next time that it is opened, a part in each turn of the event loop. It is a
   * cache: a failure does not matter.
   */
  async prepareHistory(key: number): Promise<void> {
    if (this.#preparing.has(key)) return;
    this.#preparing.add(key);
    try {
      await setImmediate();
      while (!this.#isDisposed && (await this.#segments.extend(key))) await setImmediate();
      await this.#recent.extend(key, () => this.#isDisposed);
    } catch {
      // The history is read from the events.
    } finally {
      this.#preparing.delete(key);
    }
  }

  /** Writes what is still queued and closes the store, as far as that takes no more than two seconds. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.health[Symbol.dispose]();
    // A store in memory has one connection. Of two, the last to close tidies up, which one that only reads cannot do.
    if (this.#backend.isShared) this.#database[Symbol.dispose]();
    this.#queue.close();
  }

  async #openToWrite(): Promise<void> {
    for (const sentence of await this.#queue.write<"open">({ kind: "open" })) this.#notices.once("store", sentence);
  }

  async #canRead(): Promise<boolean> {
    try {
      await this.#database.get("SELECT 1");
      return true;
    } catch {
      return false;
    }
  }
}

const ALONE: JournalUse = { isRunning: () => false, changed: () => {} };

const isStreaming = ({ streaming, inner = {} }: TeamState): boolean =>
  streaming.length > 0 || Object.values(inner).some(isStreaming);

function withTexts(state: TeamState, texts: ReadonlyMap<string, string>): TeamState {
  const streaming = state.streaming.map((message) => ({ ...message, text: texts.get(message.messageId) ?? "" }));
  const { inner } = state;
  if (inner === undefined) return { ...state, streaming };
  return { ...state, streaming, inner: mapValues(inner, (team) => withTexts(team, texts)) };
}
