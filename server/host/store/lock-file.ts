import { DatabaseSync } from "node:sqlite";
import { SQLITE_BUSY, sqliteCode } from "./storage-failure.ts";

/**
 * Locks a file against all other processes until the result is closed; undefined if another has it. The operating system
 * releases the lock when the process ends, however it ends. SQLite does the locking, because Node has no file locks. Of
 * several that try at once one gets it: an exclusive lock would be refused to all, because each reads the file meanwhile.
 * @throws SQLite's error for a file that it cannot use.
 */
export function lockFile(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database.close();
    if (sqliteCode(error) === SQLITE_BUSY) return undefined;
    throw error;
  }
}
