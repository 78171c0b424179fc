import type { Database } from "./database.ts";
import { HostLock } from "./host-lock.ts";

/**
 * Which host may run a team, of all that share a storage folder: at most one at a time. A lock is a row of the store that is
 * valid while its host is alive (see {@link HostLock}), so a killed host releases its teams.
 */
export class RunLocks implements Disposable {
  readonly #database: Database;
  readonly #host: HostLock | undefined;
  readonly #taken = new Set<number>();

  /** Without a folder nothing is shared, so no locks are needed. */
  constructor(database: Database, folder: string | undefined) {
    this.#database = database;
    this.#host = folder === undefined ? undefined : new HostLock(folder);
  }

  /** Locks the team for this host; false if another host has it. */
  take(key: number): boolean {
    const host = this.#host;
    if (host === undefined || this.#taken.has(key)) return true;
    const free = this.#database.transaction(() => {
      host.hold();
      const holder = this.#holder(key);
      if (holder !== undefined && host.isAlive(holder)) return false;
      this.#database.run("INSERT OR REPLACE INTO runs (team, host) VALUES (?, ?)", key, host.id);
      return true;
    });
    if (free) this.#taken.add(key);
    return free;
  }

  /** True while this host has locked no team. */
  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  release(key: number): void {
    if (this.#host === undefined || !this.#taken.delete(key)) return;
    this.#database.run("DELETE FROM runs WHERE team = ? AND host = ?", key, this.#host.id);
  }

  [Symbol.dispose](): void {
    this.#host?.[Symbol.dispose]();
  }

  #holder(key: number): string | undefined {
    const host = this.#database.get("SELECT host FROM runs WHERE team = ?", key)?.["host"];
    return typeof host === "string" ? host : undefined;
  }
}
