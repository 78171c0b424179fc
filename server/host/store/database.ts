import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import type { GavelError } from "../../../shared/contract/errors.ts";
import { migrate } from "./schema.ts";
import { folderFailure, SQLITE_CONSTRAINT, sqliteCode, storageFailure } from "./storage-failure.ts";

export type DatabaseRow = Readonly<Record<string, SQLOutputValue>>;

/** How long a write waits for another host's, in milliseconds. Writes are short; longer means that something hangs. */
const BUSY_TIMEOUT = 5_000;

/** SQLite tidies up by itself when the log has that many pages of 4 KB; a host that is never at rest needs it. */
const CHECKPOINT_PAGES = 8_000;
const TIDY_AFTER = 250;

/**
 * The store's database file, `gavel.db` in the storage folder, or memory without one. It is opened at the first use, so that
 * the host's start does not wait for a disk. Everything is synchronous: what a call returns from is kept, but within a batch.
 * Whatever fails is thrown as a GavelError `StorageError`, with what SQLite said as its `cause`.
 */
export class Database implements Disposable {
  readonly path: string;
  readonly #folder: string | undefined;
  readonly #statements = new Map<string, StatementSync>();
  #open: DatabaseSync | undefined;
  #inTransaction = false;
  #commits = 0;
  /** Whom to tell that what they wrote since the last commit is lost. */
  #batch: Set<(error: GavelError) => void> | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
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

  /** All of what `work` writes is kept when this returns, or none of it. */
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
   * What `work` writes is kept by {@link commit}, at the latest at the end of this turn of the event loop, together with all
   * else that is written until then: a commit costs far more than a write. `lost` is called when that fails.
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
      // A broken constraint undoes its own statement alone; whatever else fails may have undone the others too.
      if (sqliteCode(failure.cause) !== SQLITE_CONSTRAINT) this.#lose(failure);
      throw failure;
    }
  }

  /** Keeps what was written. @throws GavelError `StorageError`; all of it is then lost, and those who wrote it are told. */
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
   * For when nothing runs: brings what was committed from the log into the file, which waits for the disk some 10 ms, so that it
   * need not be done between two chunks of a stream.
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
  }

  /** Where nobody waits: those who wrote have been told, and say so when they are next asked. */
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

  /** A full disk rolls back by itself; to do it again is an error that says nothing new. */
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
    if (this.#folder !== undefined) makeFolder(this.#folder);
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

/** With the write-ahead log and `NORMAL`, what was committed survives the end of the process; a power cut may take the last of it. */
function prepare(database: DatabaseSync, path: string): void {
  migrate(database, path);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  );
  database.exec("PRAGMA foreign_keys = ON");
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw folderFailure(error, folder);
  }
}
