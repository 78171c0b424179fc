import { DatabaseSync } from "node:sqlite";
import { makePrivateFile, makePrivateFolder, restrictFile } from "../private-files.ts";
import { migrate } from "../schema/schema.ts";
import { folderFailure } from "../storage-failure.ts";

/** How long a write waits for another host's, in milliseconds. Writes are short; a longer wait means that a host hangs. */
const BUSY_TIMEOUT = 5_000;

/**
 * SQLite itself copies the log when it has this many pages of 4 KB, for a host that is never at rest: that takes tens of
 * milliseconds, for which events wait. The file of a log that was copied is cut to this many bytes.
 */
const WAL_PAGES = 4_000;
const WAL_BYTES = 4 * 1024 * 1024;

/** Opens the file to write it, made or migrated where needed. @throws SQLite's error, and what `migrate` throws. */
export function openToWrite(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    prepare(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** With a write-ahead log and `NORMAL`, commits survive the end of the process; a power failure may lose the last ones. */
function prepare(database: DatabaseSync, path: string): void {
  migrate(database, path);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${WAL_PAGES};
     PRAGMA journal_size_limit = ${WAL_BYTES}; PRAGMA foreign_keys = ON`,
  );
}

/** SQLite gives the files that it creates beside the database the permissions of the database. */
export function makeFiles(path: string): void {
  makePrivateFile(path);
  for (const suffix of ["-wal", "-shm", "-journal"]) restrictFile(path + suffix);
}

/** @throws GavelError `StorageError`. */
export function makeFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    throw folderFailure(error, folder);
  }
}
