import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

/** The longest path of a socket, in bytes: systems allow 103 to 107. */
const MAX_PATH = 100;

/** What the place of sockets depends on. */
export interface SocketPlace {
  readonly platform: string;
  readonly temporary: string;
  readonly runtime: string | undefined;
}

/**
 * A new address for the socket of this user's host: in a folder that only the user can use or, on Windows, a pipe with a
 * name that cannot be guessed.
 * @throws Error for a folder that is not the user's own.
 */
export function newSocketAddress({ platform, temporary, runtime }: SocketPlace): string {
  const name = randomBytes(12).toString("hex");
  if (platform === "win32") return `\\\\.\\pipe\\gavel-${name}`;
  const own = `gavel-${userInfo().uid}`;
  const folders = [...(runtime === undefined ? [] : [join(runtime, "gavel")]), join(temporary, own), join("/tmp", own)];
  const folder = folders.find((path) => Buffer.byteLength(join(path, name)) <= MAX_PATH) ?? join("/tmp", own);
  makeOwnFolder(folder);
  return join(folder, name);
}

/** Another user could have made the folder before, in order to read what comes there. */
function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(folder);
  const isFolder = (mode & 0o170000) === 0o040000;
  if (!isFolder || uid !== userInfo().uid || (mode & 0o077) !== 0)
    throw new Error(
      `The folder ${folder} is not yours alone, so no socket is made in it; remove it, or make it private.`,
    );
}
