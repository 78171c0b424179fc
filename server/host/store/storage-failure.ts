import { GavelError, messageOf, storageError } from "../../../shared/contract/errors.ts";

/** Messages for SQLite's primary result codes (sqlite.org/rescode.html) that a user can act on. */
const SENTENCES: Readonly<Record<number, (file: string) => string>> = {
  5: (file) => `${file} is locked by another program; close that program and try again.`,
  6: (file) => `${file} is locked by another program; close that program and try again.`,
  8: (file) => `${file} cannot be written; make it and its folder writable.`,
  10: (file) => `${file} could not be read or written by the disk; check the disk and its free space.`,
  11: (file) => `${file} is damaged and was not changed; move it away to start with an empty store.`,
  13: (file) => `${file} cannot grow because the disk is full; free some space and try again.`,
  14: (file) => `${file} cannot be opened; check that its folder exists and is writable.`,
  26: (file) =>
    `${file} is not a Gavel store or is damaged, and was not changed; move it away to start with an empty store.`,
};

/** SQLite's primary result code of an error, from node:sqlite's extended code. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

/** Of a database that was moved away while it was open, which is no question of permissions. */
const SQLITE_READONLY_DBMOVED = 1032;

/** Whether a write failed because the connection, or a file of it, can only be read. */
export const isReadOnly = (error: unknown): boolean =>
  sqliteCode(error) === SQLITE_READONLY &&
  !(error instanceof Error && "errcode" in error && error.errcode === SQLITE_READONLY_DBMOVED);

export const SQLITE_BUSY = 5;
export const SQLITE_READONLY = 8;
export const SQLITE_CANTOPEN = 14;
export const SQLITE_CONSTRAINT = 19;

/** A failure of the store's file as an error for the user; a GavelError is returned as it is. */
export function storageFailure(error: unknown, path: string): GavelError {
  if (error instanceof GavelError) return error;
  const code = sqliteCode(error);
  const sentence = code === undefined ? undefined : SENTENCES[code];
  const file = path === ":memory:" ? "The store in memory" : path;
  return storageError(sentence?.(file) ?? `${file} could not be read or written: ${messageOf(error)}.`, {
    cause: error,
  });
}

/** The error for a storage folder that cannot be created. */
export function folderFailure(error: unknown, folder: string): GavelError {
  const code = error instanceof Error && "code" in error ? String(error.code) : messageOf(error);
  const reasons: Readonly<Record<string, string>> = {
    EACCES: "its parent folder is not writable; change its permissions",
    EPERM: "its parent folder is not writable; change its permissions",
    EROFS: "the disk is read-only; choose another storage folder",
    ENOTDIR: "a file has the same name; move the file away",
    EEXIST: "a file has the same name; move the file away",
    ENOSPC: "the disk is full; free some space",
    ENOENT: "no folder can be made there; choose another storage folder",
  };
  return storageError(`The storage folder ${folder} cannot be created: ${reasons[code] ?? code}.`, { cause: error });
}

/** Of a row that cannot be read: what it is, and why. */
export const damaged = (what: string): string => `${what} that is damaged or was written by a newer version of Gavel`;
