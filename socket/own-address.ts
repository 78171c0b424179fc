import { lstatSync, type Stats } from "node:fs";
import { dirname, isAbsolute } from "node:path";

/** Whether only this user can use that folder. It is false for a link to one. */
export function isOwnFolder(path: string): boolean {
  const found = statsOf(path);
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}

/**
 * Whether only a process of this user can listen at an address: whoever else did, after the host was killed, would be given
 * the user's keys. Of a pipe only the name is known, which has to be one of this computer.
 */
export function isOwnAddress(address: string, platform: string = process.platform): boolean {
  if (platform === "win32") return /^\\\\\.\\pipe\\gavel-[0-9a-f]{24}$/.test(address);
  return isAbsolute(address) && isOwnFolder(dirname(address)) && statsOf(address)?.isSocket() === true;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
