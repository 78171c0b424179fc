import type { WriteQueue } from "./write-queue.ts";

/**
 * Which teams this host runs, of all hosts that share a storage folder: a team is run by at most one. A claim is a row of
 * the store that is valid while its host is alive (see `HostLock`), so a killed host releases its teams. This host counts a
 * team as claimed until that row is gone.
 */
export class RunLocks {
  readonly #queue: WriteQueue;
  readonly #isShared: boolean;
  readonly #held = new Set<number>();
  readonly #releasing = new Set<number>();

  /** Without a folder nothing is shared, so no locks are needed. */
  constructor(queue: WriteQueue, folder: string | undefined) {
    this.#queue = queue;
    this.#isShared = folder !== undefined;
  }

  /** True while no other host can run the team. */
  isHeld(key: number): boolean {
    return !this.#isShared || (this.#held.has(key) && !this.#releasing.has(key));
  }

  /**
   * Claims the team for this host; false if another host has it. With `fromDead` it is only taken from a host that died
   * while it ran the team. @throws GavelError `StorageError`.
   */
  async take(key: number, fromDead = false): Promise<boolean> {
    if (this.isHeld(key)) return true;
    const taken = await this.#queue.write<"claim">({ kind: "claim", team: key, fromDead });
    if (taken) this.#held.add(key);
    return taken;
  }

  /** The journal of the team has claimed it with its events. */
  noteTaken(key: number): void {
    this.#held.add(key);
  }

  /** What kept this host's claims valid has ended: another host may take them, and this one has to claim teams again. */
  forget(): void {
    this.#held.clear();
  }

  /** Resolves when the row is gone. @throws GavelError `StorageError`; the team is then still claimed. */
  async release(key: number): Promise<void> {
    if (!this.#isShared || !this.isHeld(key)) return;
    this.#releasing.add(key);
    try {
      await this.#queue.write<"release">({ kind: "release", team: key });
      this.#held.delete(key);
    } finally {
      this.#releasing.delete(key);
    }
  }
}
