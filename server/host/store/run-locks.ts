import type { Database } from "./database.ts";
import { HostLock } from "./host-lock.ts";

/**
 * Which host runs a team, among all that share a storage folder: at most one (contract, section 3). The claim is a row of the
 * store; it holds as long as the host that made it lives (see {@link HostLock}), so a host that is killed frees its teams.
 */
export class RunLocks implements Disposable {
  readonly #database: Database;
  readonly #host: HostLock | undefined;
  readonly #taken = new Set<number>();

  /** Without a folder nothing is shared, and nothing needs a lock. */
  constructor(database: Database, folder: string | undefined) {
    this.#database = database;
    this.#host = folder === undefined ? undefined : new HostLock(folder);
  }

  /** Takes the team for this host; false when another one runs it. */
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

  /** True while this host runs no team. */
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
