import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { storageError } from "../../../shared/contract/errors.ts";
import { migrate, SCHEMA_VERSION, schemaVersionOf } from "./schema/schema.ts";
import { SQLITE_CANTOPEN, SQLITE_READONLY, sqliteCode, storageFailure } from "./storage-failure.ts";

export type DatabaseRow = Readonly<Record<string, SQLOutputValue>>;

/** Reads rows while the caller waits. */
export interface RowsNow {
  getNow(sql: string, ...values: readonly SQLInputValue[]): DatabaseRow | undefined;
}

/** Reads a store. Every failure is thrown as a GavelError `StorageError`. */
export interface Database extends Disposable {
  /** What the user knows it by: the path of a file, or the name of a server. */
  readonly path: string;
  /** Undefined where reading takes time. */
  readonly now: RowsNow | undefined;
  get(sql: string, ...values: readonly SQLInputValue[]): Promise<DatabaseRow | undefined>;
  all(sql: string, ...values: readonly SQLInputValue[]): Promise<readonly DatabaseRow[]>;
}

/**
 * A connection: to the store; `withoutLog`, on a disk that could not be written, so that it reads no write-ahead log; or to
 * an empty store, while there is none that can be read and the user continues without saving.
 */
interface Opened {
  readonly database: DatabaseSync;
  readonly kind: "store" | "withoutLog" | "empty";
}

/** How long a read may wait, in milliseconds. With a write-ahead log readers do not wait for writers. */
const BUSY_TIMEOUT = 50;

/**
 * The connection that reads the store's file, `gavel.db` in the storage folder. It sees what is committed. It is opened by
 * the first read, which comes after the writer has made or migrated the file. Every failure is thrown as a GavelError
 * `StorageError`, with SQLite's error as its `cause`.
 */
export class SqliteDatabase implements Database, RowsNow {
  readonly path: string;
  readonly now: RowsNow = this;
  readonly #statements = new Map<string, StatementSync>();
  readonly #connect: () => Opened;
  #open: Opened | undefined;

  constructor(path: string, connect: () => Opened) {
    this.path = path;
    this.#connect = connect;
  }

  /** Reads a store in a folder. One that cannot be opened reads as empty while `isUnsaved`. */
  static inFolder(folder: string, isUnsaved: () => boolean = () => false): SqliteDatabase {
    const path = join(folder, "gavel.db");
    return new SqliteDatabase(path, () => {
      try {
        return openToRead(path);
      } catch (error) {
        if (!isUnsaved()) throw error;
        return emptyStore();
      }
    });
  }

  async get(sql: string, ...values: readonly SQLInputValue[]): Promise<DatabaseRow | undefined> {
    return this.getNow(sql, ...values);
  }

  getNow(sql: string, ...values: readonly SQLInputValue[]): DatabaseRow | undefined {
    return this.#guarded(() => this.#statement(sql).get(...values));
  }

  async all(sql: string, ...values: readonly SQLInputValue[]): Promise<readonly DatabaseRow[]> {
    return this.#guarded(() => this.#statement(sql).all(...values));
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#open?.database.close();
    this.#open = undefined;
  }

  #statement(sql: string): StatementSync {
    if (this.#open !== undefined && this.#isSuperseded(this.#open)) this[Symbol.dispose]();
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    this.#open ??= this.#connect();
    const statement = this.#open.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #isSuperseded({ kind }: Opened): boolean {
    switch (kind) {
      case "store":
        return false;
      // What is written from then on is in the log, where this connection does not look.
      case "withoutLog":
        return existsSync(`${this.path}-wal`);
      // It may be readable by now.
      case "empty":
        return existsSync(this.path);
    }
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storageFailure(error, this.path);
    }
  }
}

/** @throws SQLite's error, or GavelError `StorageError` for a store of a newer version. */
function openToRead(path: string): Opened {
  try {
    return { database: connected(path, path), kind: "store" };
  } catch (error) {
    const code = sqliteCode(error);
    if (code !== SQLITE_CANTOPEN && code !== SQLITE_READONLY) throw error;
    // SQLite cannot make the files of a write-ahead log on a read-only disk. Where there is no log, none is needed.
    if (!existsSync(path) || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw error;
    return { database: connected(`${pathToFileURL(path).href}?immutable=1`, path), kind: "withoutLog" };
  }
}

function emptyStore(): Opened {
  const database = new DatabaseSync(":memory:");
  migrate(database, ":memory:");
  return { database, kind: "empty" };
}

function connected(location: string, path: string): DatabaseSync {
  const database = new DatabaseSync(location, { readOnly: true });
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    if (schemaVersionOf(database, path) < SCHEMA_VERSION) {
      throw storageError(`${path} has to be converted for this version of Gavel; make it and its folder writable.`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
