import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import type { GavelError } from "../../../shared/contract/errors.ts";
import type { StoreUse } from "./damage/store-use.ts";
import { useStore } from "./damage/use-store.ts";
import { DamageNotices } from "./damage-notices.ts";
import { makePrivateFile, makePrivateFolder, restrictFile } from "./private-files.ts";
import { migrate } from "./schema.ts";
import { folderFailure, SQLITE_CONSTRAINT, sqliteCode, storageFailure } from "./storage-failure.ts";

export type DatabaseRow = Readonly<Record<string, SQLOutputValue>>;

/** How long a write waits for another host's, in milliseconds. Writes are short; a longer wait means that a host hangs. */
const BUSY_TIMEOUT = 5_000;

/** SQLite itself checkpoints when the write-ahead log has this many pages of 4 KB, for a host that is never at rest. */
const CHECKPOINT_PAGES = 8_000;
const TIDY_AFTER = 250;

/**
 * The store's database file, `gavel.db` in the storage folder, or memory without a folder. It is opened at the first use, so
 * that the host's start does not wait for the disk. Everything is synchronous: a write is durable when the call returns,
 * except in a batch. Every failure is thrown as a GavelError `StorageError`, with SQLite's error as its `cause`.
 */
export class Database implements Disposable {
  readonly path: string;
  readonly #folder: string | undefined;
  readonly #notices: DamageNotices;
  readonly #statements = new Map<string, StatementSync>();
  #open: DatabaseSync | undefined;
  #use: StoreUse | undefined;
  #inTransaction = false;
  #commits = 0;
  /** Called when what was written since the last commit is lost. */
  #batch: Set<(error: GavelError) => void> | undefined;

  constructor(folder: string | undefined, notices: DamageNotices = new DamageNotices()) {
    this.#folder = folder;
    this.#notices = notices;
    this.path = folder === undefined ? ":memory:" : join(folder, "gavel.db");
  }

  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return this.#guarded(() => Number(this.#statement(sql).run(...values).changes));
  }

  get(sql: string, ...values: readonly SQLInputValue[]): DatabaseRow | undefined {
    return this.#guarded(() => this.#statement(sql).get(...values));
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly DatabaseRow[] {
    return this.#guarded(() => this.#statement(sql).all(...values));
  }

  /** Commits everything that `work` writes, or nothing. */
  transaction<T>(work: () => T): T {
    if (this.#inTransaction) return work();
    this.commit();
    this.run("BEGIN IMMEDIATE");
    this.#inTransaction = true;
    try {
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /**
   * Defers the commit of what `work` writes to {@link commit}, at the latest at the end of this turn of the event loop,
   * because a commit costs far more than a write. `lost` is called when the commit fails.
   */
  batch(work: () => void, lost: (error: GavelError) => void): void {
    if (this.#batch === undefined) {
      this.run("BEGIN IMMEDIATE");
      this.#batch = new Set();
      setImmediate(() => this.#commitLate());
    }
    this.#batch.add(lost);
    try {
      work();
    } catch (error) {
      const failure = storageFailure(error, this.path);
      // A violated constraint undoes only its own statement; any other failure may have undone earlier ones too.
      if (sqliteCode(failure.cause) !== SQLITE_CONSTRAINT) this.#lose(failure);
      throw failure;
    }
  }

  /** Commits the batch. @throws GavelError `StorageError`; the batch is then lost, and its writers are notified. */
  commit(): void {
    if (this.#batch === undefined) return;
    try {
      this.run("COMMIT");
      this.#commits++;
      this.#batch = undefined;
    } catch (error) {
      const failure = storageFailure(error, this.path);
      this.#lose(failure);
      throw failure;
    }
  }

  /**
   * Checkpoints the write-ahead log while nothing runs. It takes about 10 ms of disk time, which should not fall between two
   * chunks of a stream.
   */
  tidy(): void {
    if (this.#folder === undefined || this.#batch !== undefined || this.#commits < TIDY_AFTER) return;
    this.#commits = 0;
    this.all("PRAGMA wal_checkpoint(PASSIVE)");
  }

  [Symbol.dispose](): void {
    this.#commitLate();
    this.#statements.clear();
    this.#open?.close();
    this.#open = undefined;
    this.#use?.[Symbol.dispose]();
    this.#use = undefined;
  }

  /** Commits without a caller that could handle a failure: the writers are notified, and throw at their next write. */
  #commitLate(): void {
    try {
      this.commit();
    } catch {}
  }

  #lose(error: GavelError): void {
    const writers = this.#batch ?? [];
    this.#batch = undefined;
    this.#rollBack();
    for (const lost of writers) lost(error);
  }

  /** SQLite rolls back by itself when the disk is full; a second rollback then fails, which does not matter. */
  #rollBack(): void {
    try {
      this.#open?.exec("ROLLBACK");
    } catch {}
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection().prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storageFailure(error, this.path);
    }
  }

  #connection(): DatabaseSync {
    this.#open ??= this.#connect();
    return this.#open;
  }

  #connect(): DatabaseSync {
    if (this.#folder !== undefined) {
      makeFolder(this.#folder);
      this.#use = useStore(this.#folder, (sentence) => this.#notices.once("store", sentence));
      makeFiles(this.path);
    }
    const database = new DatabaseSync(this.path);
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
      prepare(database, this.path);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/** With a write-ahead log and `NORMAL`, commits survive the end of the process; a power failure may lose the last ones. */
function prepare(database: DatabaseSync, path: string): void {
  migrate(database, path);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  );
  database.exec("PRAGMA foreign_keys = ON");
}

/** SQLite gives the files that it creates beside the database the permissions of the database. */
function makeFiles(path: string): void {
  makePrivateFile(path);
  for (const suffix of ["-wal", "-shm", "-journal"]) restrictFile(path + suffix);
}

function makeFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    throw folderFailure(error, folder);
  }
}
