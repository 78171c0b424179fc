import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";

/**
 * A folder in which files are written and deleted. Between a check of its path and the change, another process may replace a
 * part of the path by a link. So on Linux the folder is held open, and its files are reached through it, wherever its path
 * leads by then. Elsewhere they are reached by the path.
 */
export class HeldFolder implements AsyncDisposable {
  readonly #path: string;
  readonly #handle: FileHandle | undefined;
  /** Where the files are reached. */
  readonly #base: string;

  private constructor(path: string, handle: FileHandle | undefined) {
    this.#path = path;
    this.#handle = handle;
    this.#base = handle === undefined ? path : `/proc/self/fd/${handle.fd}`;
  }

  /** @param path of an existing folder, absolute, with its links resolved. */
  static async open(path: string): Promise<HeldFolder> {
    if (process.platform !== "linux") return new HeldFolder(path, undefined);
    const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY).catch(() => undefined);
    const held = new HeldFolder(path, handle);
    // Without /proc, as in some containers, the folder cannot be reached through its handle.
    if (handle === undefined || (await readlink(held.#base).catch(() => undefined)) !== undefined) return held;
    await handle.close();
    return new HeldFolder(path, undefined);
  }

  /** The path by which to reach a file in the folder. */
  file(name: string): string {
    return join(this.#base, name);
  }

  /** Whether the folder, and the path that it was opened by, are still where they were. */
  async isInPlace(): Promise<boolean> {
    const [held, found] = await Promise.all([
      this.#handle === undefined ? this.#path : readlink(this.#base),
      realpath(this.#path).catch(() => undefined),
    ]);
    return held === this.#path && found === this.#path;
  }

  /** Flushes the folder's list of files, so that a rename in it is durable. Not every system can do that. */
  async flush(): Promise<void> {
    const handle = this.#handle ?? (await open(this.#path, "r").catch(() => undefined));
    await handle?.sync().catch(() => {});
    if (handle !== this.#handle) await handle?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }
}
