import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The largest file with servers that is read, in bytes. */
const MAX_FILE = 1024 * 1024;

/** Opening a pipe must not wait for its writer. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The text of a file with servers; undefined for one that is not there, cannot be read or is too large. A repository can
 * make it a link to a device, which has the size 0 and no end.
 */
export async function fileText(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, FLAGS);
    if (!(await file.stat()).isFile()) return undefined;
    const buffer = Buffer.alloc(MAX_FILE + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = (await file.read(buffer, length, buffer.length - length, null)).bytesRead;
    return length > MAX_FILE ? undefined : buffer.toString("utf8", 0, length);
  } catch {
    return undefined;
  }
}
