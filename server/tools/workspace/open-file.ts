import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { codeOf, type Place } from "./workspace.ts";

/** Not to wait for a pipe's writer, and not to follow a link put in the file's place since it was located. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Gives `use` a located file, opened to be read by {@link openFile}, and closes it afterwards. */
export async function withFile<T>(place: Place, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await openFile(place);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Opens a located file to be read. Between locating and opening, another process may have put a link in place of the file or
 * of a folder above it; so what was opened is compared with what the path leads to, and refused when they differ.
 * @throws Error that names the file, when it is no plain file, can not be read, or has moved.
 */
async function openFile({ path, shown }: Place): Promise<FileHandle> {
  const handle = await open(path, FLAGS).catch((error: unknown) => {
    throw new Error(
      codeOf(error) === "EISDIR"
        ? isFolder(shown)
        : `"${shown}" can not be read (${codeOf(error) ?? "unknown cause"}).`,
    );
  });
  try {
    const opened = await handle.stat({ bigint: true });
    if (opened.isDirectory()) throw new Error(isFolder(shown));
    if (!opened.isFile()) throw new Error(`"${shown}" is not a plain file.`);
    const now = await stat(path, { bigint: true });
    if ((await realpath(path)) !== path || now.ino !== opened.ino || now.dev !== opened.dev) {
      throw new Error(`"${shown}" was moved while it was being opened; try again.`);
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const isFolder = (shown: string): string => `"${shown}" is a folder; list it with listFiles.`;
