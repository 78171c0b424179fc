import { statSync } from "node:fs";

/**
 * The files of an open database. One that is deleted or replaced can still be written, but no one finds what is written.
 */
export class OpenFiles {
  readonly #database: string;
  readonly #inodes = new Map<string, bigint>();

  constructor(database: string) {
    this.#database = database;
  }

  /** The database has been opened. */
  opened(): void {
    this.#inodes.clear();
    this.#note(this.#database);
  }

  /** Something has been written: from then on there are a log and its index. */
  written(): void {
    if (this.#inodes.size === 1) for (const suffix of ["-wal", "-shm"]) this.#note(this.#database + suffix);
  }

  /** The path of a file that is not in its place any more. */
  missing(): string | undefined {
    for (const [path, inode] of this.#inodes) if (inode !== inodeOf(path)) return path;
    return undefined;
  }

  #note(path: string): void {
    const inode = inodeOf(path);
    if (inode !== undefined) this.#inodes.set(path, inode);
  }
}

const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
