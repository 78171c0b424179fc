import { basename } from "node:path";
import { GavelError, messageOf, storageError } from "../../../shared/contract/errors.ts";

/** SQLite's primary result codes (sqlite.org/rescode.html) that a user can do something about. */
const SENTENCES: Readonly<Record<number, (file: string) => string>> = {
  5: (file) => `${file} is locked by another program; close that program and try again.`,
  6: (file) => `${file} is locked by another program; close that program and try again.`,
  8: (file) => `${file} can not be written; make it and its folder writable.`,
  10: (file) => `${file} could not be read or written by the disk; check the disk and its free space.`,
  11: (file) => `${file} is damaged and was left as it is; move it away to begin with an empty store.`,
  13: (file) => `${file} can not grow because the disk is full; free some space and try again.`,
  14: (file) => `${file} can not be opened; check that its folder is there and writable.`,
  26: (file) => `${file} is no Gavel store or is damaged, and was left as it is; move it away to begin anew.`,
};

/** SQLite's primary result codes for what happened, from the extended code that node:sqlite gives. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

export const SQLITE_BUSY = 5;
export const SQLITE_CONSTRAINT = 19;

/** What went wrong with a store's file, in one sentence with the mend; an error that is for a user already stays itself. */
export function storageFailure(error: unknown, path: string): GavelError {
  if (error instanceof GavelError) return error;
  const code = sqliteCode(error);
  const sentence = code === undefined ? undefined : SENTENCES[code];
  const file = path === ":memory:" ? "The store in memory" : path;
  return storageError(sentence?.(file) ?? `${file} could not be read or written: ${messageOf(error)}.`, {
    cause: error,
  });
}

/** Why the folder for the store can not be made. */
export function folderFailure(error: unknown, folder: string): GavelError {
  const code = error instanceof Error && "code" in error ? String(error.code) : messageOf(error);
  const reasons: Readonly<Record<string, string>> = {
    EACCES: "its parent may not be written; change that folder's permissions",
    EPERM: "its parent may not be written; change that folder's permissions",
    EROFS: "the disk is read-only; choose another storage folder",
    ENOTDIR: "a file stands in its place; move that file away",
    EEXIST: "a file stands in its place; move that file away",
    ENOSPC: "the disk is full; free some space",
  };
  return storageError(`The storage folder ${folder} can not be made: ${reasons[code] ?? code}.`, { cause: error });
}

/** A row that does not read as what it should be. */
export const damagedRow = (path: string, what: string, cause: unknown): GavelError =>
  storageError(`${basename(path)} holds ${what} that this version can not read; it is damaged, or of a newer Gavel.`, {
    cause,
  });
