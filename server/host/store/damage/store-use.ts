import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "../private-files.ts";
import { SQLITE_BUSY, sqliteCode } from "../storage-failure.ts";

/** How long to wait for a host that checks the store, in milliseconds. */
const TIMEOUT = 10_000;

/**
 * This host's use of a store, which other hosts see: a lock on the file `gavel.db-use`, which is shared while the store is
 * in use, and exclusive while it is checked and repaired. SQLite does the locking, as for `HostLock`.
 */
export class StoreUse implements Disposable {
  readonly #database: DatabaseSync;

  /** @throws Error when the file cannot be made, or another host checks the store for longer than that. */
  constructor(folder: string) {
    const path = join(folder, "gavel.db-use");
    makePrivateFile(path);
    this.#database = new DatabaseSync(path);
    this.#database.exec(`PRAGMA busy_timeout = ${TIMEOUT}; PRAGMA journal_mode = MEMORY`);
  }

  /** Calls `work` if no other host uses the store. Returns what it returns. */
  alone<T>(work: () => T): T | undefined {
    try {
      this.#database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    } catch (error) {
      if (sqliteCode(error) === SQLITE_BUSY) return undefined;
      throw error;
    }
    try {
      return work();
    } finally {
      this.#database.exec("ROLLBACK");
    }
  }

  /** Uses the store until this is disposed. */
  share(): void {
    this.#database.exec(`PRAGMA busy_timeout = ${TIMEOUT}; BEGIN; SELECT count(*) FROM sqlite_schema`);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
