import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { folderFailure, SQLITE_BUSY, sqliteCode, storageFailure } from "./storage-failure.ts";

const SUFFIX = ".lock";

/**
 * A host's sign of life for the others that share its storage folder: a file `hosts/ID.lock` which it keeps locked while it
 * lives. The operating system takes the lock away when the process ends, however it ends, so no sign outlives its host.
 * SQLite does the locking, as Node has nothing else for it. Callers hold the store's write lock, so that no two hosts look at
 * or make these files at once.
 */
export class HostLock implements Disposable {
  readonly id = randomUUID();
  readonly #folder: string;
  #held: DatabaseSync | undefined;

  constructor(storageFolder: string) {
    this.#folder = join(storageFolder, "hosts");
  }

  /** Shows that this host lives, and clears away the files of those that do not. @throws GavelError `StorageError`. */
  hold(): void {
    if (this.#held !== undefined) return;
    try {
      mkdirSync(this.#folder, { recursive: true });
    } catch (error) {
      throw folderFailure(error, this.#folder);
    }
    const ids = readdirSync(this.#folder).filter((name) => name.endsWith(SUFFIX));
    for (const name of ids) this.isAlive(name.slice(0, -SUFFIX.length));
    try {
      this.#held = lockFile(this.#path(this.id));
    } catch (error) {
      throw storageFailure(error, this.#path(this.id));
    }
  }

  /** Whether the host of that id lives; if not, its file is cleared away. */
  isAlive(id: string): boolean {
    if (id === this.id) return true;
    const path = this.#path(id);
    if (!existsSync(path)) return false;
    try {
      lockFile(path).close();
    } catch (error) {
      if (sqliteCode(error) === SQLITE_BUSY) return true;
      throw storageFailure(error, path);
    }
    rmSync(path, { force: true });
    return false;
  }

  [Symbol.dispose](): void {
    if (this.#held === undefined) return;
    this.#held.close();
    this.#held = undefined;
    rmSync(this.#path(this.id), { force: true });
  }

  #path(id: string): string {
    return join(this.#folder, `${id}${SUFFIX}`);
  }
}

/** Locks a file against every other process until the result is closed. @throws SQLite's "busy" when another has it. */
function lockFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
