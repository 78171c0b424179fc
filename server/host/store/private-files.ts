import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const FOLDER = 0o700;
const FILE = 0o600;

/** Set for a folder that several users share, such as /tmp, whose permissions are not ours to change. */
const STICKY = 0o1000;

/** Makes a folder that only the user can use, or restricts the one that is there, whatever the umask. @throws Error. */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder, FOLDER);
  restrictFolder(folder);
}

/**
 * Creates a folder with those above it. Node's own way to do so never ends where the system has no such folder although the
 * one above it is there, as in /proc. @throws Error.
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder && !isFolder(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another host may have made it just now.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Creates a file that only the user can read, or restricts the one that is there, whatever the umask. It is not opened: that
 * would end the locks that this process has on it. What fails here fails again, with a better message, when it is opened.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", FILE));
  } catch {}
  restrictFile(path);
}

/** Restricts a folder, if there is one. */
export function restrictFolder(path: string): void {
  restrict(path, FOLDER);
}

/** Restricts a file, if there is one. */
export function restrictFile(path: string): void {
  restrict(path, FILE);
}

/** A file system without permissions refuses to change them. */
function restrict(path: string, mode: number): void {
  try {
    const current = statSync(path).mode;
    if ((current & 0o777) !== mode && (current & STICKY) === 0) chmodSync(path, mode);
  } catch {}
}
