import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { codeOf, type WorkspacePath } from "./workspace.ts";

/** Opening must not wait for a pipe's writer, nor follow a link that replaced the file. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Opens a located file for reading, passes it to `use` and closes it. @throws what {@link openFile} throws. */
export async function withOpenFile<T>(place: WorkspacePath, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await openFile(place);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Opens a located file for reading. Between locating and opening, another process may have replaced the file or a
 * folder above it by a link; so the opened file is compared with what the path leads to, and refused when they differ.
 * @throws Error that names the file, when it is not a regular file, cannot be read, or has moved.
 */
async function openFile({ path, shown }: WorkspacePath): Promise<FileHandle> {
  const handle = await open(path, FLAGS).catch((error: unknown) => {
    throw new Error(
      codeOf(error) === "EISDIR" ? isFolder(shown) : `"${shown}" cannot be read (${codeOf(error) ?? "unknown cause"}).`,
    );
  });
  try {
    const opened = await handle.stat({ bigint: true });
    if (opened.isDirectory()) throw new Error(isFolder(shown));
    if (!opened.isFile()) throw new Error(`"${shown}" is not a regular file.`);
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
