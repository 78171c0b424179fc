import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isOwnFolder } from "../../../socket/own-address.ts";

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
  const own = `gavel-${process.geteuid?.() ?? ""}`;
  const folders = [...(runtime === undefined ? [] : [join(runtime, "gavel")]), join(temporary, own), join("/tmp", own)];
  const fitting = folders.filter((path) => isAbsolute(path) && Buffer.byteLength(join(path, name)) <= MAX_PATH);
  const folder = fitting.find(makeOwnFolder);
  if (folder !== undefined) return join(folder, name);
  throw new Error(
    `None of these folders is yours alone, so no socket is made: ${fitting.join(", ")}; remove one, or make it private.`,
  );
}

/** Another user could have made the folder before, in order to read what comes there. What it is in has to be there. */
function makeOwnFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It may be there already.
  }
  return isOwnFolder(folder);
}
