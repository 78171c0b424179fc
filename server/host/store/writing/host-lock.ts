import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { lockFile } from "../lock-file.ts";
import { makePrivateFile, makePrivateFolder } from "../private-files.ts";
import { folderFailure, storageFailure } from "../storage-failure.ts";

const SUFFIX = ".lock";

/**
 * Shows other hosts that share the storage folder that this host is alive: a file `hosts/ID.lock` that it keeps locked.
 * Callers hold the store's write lock, so that no two hosts check or create these files at the same time.
 */
export class HostLock implements Disposable {
  readonly id = randomUUID();
  readonly #folder: string;
  #held: DatabaseSync | undefined;

  constructor(storageFolder: string) {
    this.#folder = join(storageFolder, "hosts");
  }

  /** Takes this host's lock, and removes the files of dead hosts. @throws GavelError `StorageError`. */
  hold(): void {
    if (this.#held !== undefined) return;
    try {
      makePrivateFolder(this.#folder);
    } catch (error) {
      throw folderFailure(error, this.#folder);
    }
    const ids = readdirSync(this.#folder).filter((name) => name.endsWith(SUFFIX));
    for (const name of ids) this.isAlive(name.slice(0, -SUFFIX.length));
    try {
      makePrivateFile(this.#path(this.id));
      this.#held = lockFile(this.#path(this.id));
    } catch (error) {
      throw storageFailure(error, this.#path(this.id));
    }
  }

  /** Whether the host with that id is alive; if not, its file is removed. */
  isAlive(id: string): boolean {
    if (id === this.id) return true;
    const path = this.#path(id);
    if (!existsSync(path)) return false;
    try {
      const lock = lockFile(path);
      if (lock === undefined) return true;
      lock.close();
    } catch (error) {
      throw storageFailure(error, path);
    }
    rmSync(path, { force: true });
    return false;
  }

  [Symbol.dispose](): void {
    if (this.#held === undefined) return;
    this.#held.close();
    this.#held = undefined;
    rmSync(this.#path(this.id), { force: true });
  }

  #path(id: string): string {
    return join(this.#folder, `${id}${SUFFIX}`);
  }
}
