import type { DurableEvent } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, mapValues, type TeamState } from "../../../shared/state/team-state.ts";
import type { StoredTeam } from "../../engine/index.ts";
import { ApprovalRecords } from "./approval-records.ts";
import { Checkpoints } from "./checkpoints.ts";
import { DamageNotices } from "./damage-notices.ts";
import { Database } from "./database.ts";
import { EditJournal } from "./edit-journal.ts";
import { EventLog } from "./event-log.ts";
import { RunLocks } from "./run-locks.ts";
import { TeamJournal } from "./team-journal.ts";
import { type TeamRecord, TeamRecords } from "./team-records.ts";

/** A stored team, and the `seq` of its checkpoint. */
export interface LoadedTeam extends StoredTeam {
  readonly checkpoint: number;
}

/**
 * A host's durable data: one database in the storage folder, which hosts may share, or memory without a folder. Every
 * failure is a GavelError `StorageError` that names the file and says what to do.
 */
export class Store implements Disposable {
  readonly teams: TeamRecords;
  readonly events: EventLog;
  readonly locks: RunLocks;
  readonly edits: EditJournal;
  readonly approvals: ApprovalRecords;
  readonly #database: Database;
  readonly #checkpoints: Checkpoints;

  /** `notify` is called with what the user has to know, one sentence at a time. */
  constructor(folder?: string, notify?: (sentence: string) => void) {
    const notices = new DamageNotices(notify);
    this.#database = new Database(folder, notices);
    this.teams = new TeamRecords(this.#database, notices);
    this.events = new EventLog(this.#database, notices);
    this.locks = new RunLocks(this.#database, folder);
    this.edits = new EditJournal(this.#database);
    this.approvals = new ApprovalRecords(this.#database);
    this.#checkpoints = new Checkpoints(this.#database);
  }

  journal(record: TeamRecord): TeamJournal {
    return new TeamJournal(this.#database, record.teamId, record.key);
  }

  /** A team as it was last stored: the checkpoint with the later events folded into it. */
  load(record: TeamRecord): LoadedTeam {
    const start = this.#checkpoints.get(record.key) ?? initialTeamState(record.teamId, record.definition, record.uri);
    let state: TeamState = start;
    for (const event of this.events.all(record.key, start.lastSeq)) state = reduceTeam(state, event);
    return {
      checkpoint: start.lastSeq,
      state: this.#withOpenTexts(record.key, state),
      history: (): Iterable<DurableEvent> => this.events.all(record.key),
    };
  }

  /** Saves a checkpoint, so that the team opens faster. */
  checkpoint(key: number, state: TeamState): void {
    this.#checkpoints.save(key, state);
  }

  /**
   * Commits the events appended since the last commit.
   * @throws GavelError `StorageError`; their journals are then broken.
   */
  commit(): void {
    this.#database.commit();
  }

  /** Checkpoints the write-ahead log if no team runs. @throws GavelError `StorageError`. */
  tidy(): void {
    if (this.locks.isEmpty) this.#database.tidy();
  }

  [Symbol.dispose](): void {
    this.locks[Symbol.dispose]();
    this.#database[Symbol.dispose]();
  }

  #withOpenTexts(key: number, state: TeamState): TeamState {
    return isStreaming(state) ? withTexts(state, this.events.openTexts(key)) : state;
  }
}

const isStreaming = ({ streaming, inner = {} }: TeamState): boolean =>
  streaming.length > 0 || Object.values(inner).some(isStreaming);

function withTexts(state: TeamState, texts: ReadonlyMap<string, string>): TeamState {
  const streaming = state.streaming.map((message) => ({ ...message, text: texts.get(message.messageId) ?? "" }));
  const { inner } = state;
  if (inner === undefined) return { ...state, streaming };
  return { ...state, streaming, inner: mapValues(inner, (team) => withTexts(team, texts)) };
}
