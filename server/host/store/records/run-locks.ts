import type { Database } from "../database.ts";
import type { HostIdentity } from "../host-identity.ts";
import type { WriteQueue } from "../write-queue.ts";

/** `lastSeq` is null if the team has been deleted. A team that has events has not. */
const AS_STORED = `SELECT EXISTS (SELECT 1 FROM runs WHERE team = ?1) AS isClaimed,
  coalesce((SELECT max(seq) FROM events WHERE team = ?1), (SELECT 0 FROM teams WHERE id = ?1)) AS lastSeq`;

const ABANDONED = `SELECT teamId FROM runs JOIN teams ON teams.id = runs.team LEFT JOIN hosts ON hosts.id = runs.host
  WHERE hosts.until IS NULL OR hosts.until <= clock_timestamp()`;

const OWNER = `SELECT hosts.id AS id, hosts.key AS key FROM teams JOIN runs ON runs.team = teams.id
  JOIN hosts ON hosts.id = runs.host WHERE teamId = ? AND hosts.id <> ? AND hosts.until > clock_timestamp()`;

/** Whether other hosts share the store, and whether those on other machines do. */
interface Sharing {
  readonly isShared: boolean;
  readonly hasLeases: boolean;
}

/**
 * Which teams this host runs, of all hosts that share a storage folder: a team is run by at most one. A claim is a row of
 * the store that is valid while its host is alive (see `HostLock`), so a killed host releases its teams. This host counts a
 * team as claimed until that row is gone.
 */
export class RunLocks {
  readonly #database: Database;
  readonly #queue: WriteQueue;
  readonly #isShared: boolean;
  readonly #hasLeases: boolean;
  readonly #held = new Set<number>();
  readonly #releasing = new Set<number>();
  /** Where hosts have leases, teams whose claim may be stored although this host does not count on it: released too. */
  readonly #unsure = new Set<number>();
  /** Teams that their next events claim. */
  readonly #due = new Set<number>();

  /** What is not shared needs no locks. */
  constructor(database: Database, queue: WriteQueue, { isShared, hasLeases }: Sharing) {
    this.#database = database;
    this.#queue = queue;
    this.#isShared = isShared;
    this.#hasLeases = hasLeases;
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
    this.#due.delete(key);
    try {
      const taken = await this.#queue.write<"claim">({ kind: "claim", team: key, fromDead });
      if (taken) this.noteTaken(key);
      return taken;
    } catch (error) {
      // Its answer may have been lost.
      this.doubt(key);
      throw error;
    }
  }

  /**
   * Lets the next events of a team claim it, in one write, if the team's last stored event is `lastSeq` and it is claimed by
   * no host; false otherwise, or where that takes time to find out. Another host may still be faster: then those events are
   * in conflict with it.
   * @throws GavelError `StorageError`.
   */
  takeWithEvents(key: number, lastSeq: number): boolean {
    if (this.#held.has(key) || this.#releasing.has(key)) return this.isHeld(key);
    const stored = this.#database.now?.getNow(AS_STORED, key);
    if (stored?.["isClaimed"] !== 0 || stored["lastSeq"] !== lastSeq) return false;
    this.#due.add(key);
    return true;
  }

  /** Where hosts have leases: the ids of teams whose host has not renewed its own. @throws GavelError `StorageError`. */
  async abandoned(): Promise<readonly string[]> {
    return (await this.#database.all(ABANDONED)).map(({ teamId }) => String(teamId));
  }

  /**
   * Where hosts have leases: the living host other than `own` that has the team; undefined for none, and for one of a
   * version that cannot be reached. @throws GavelError `StorageError`.
   */
  async ownerOf(teamId: string, own: HostIdentity): Promise<HostIdentity | undefined> {
    const row = await this.#database.get(OWNER, teamId, own.id);
    const key = row?.["key"];
    return typeof key === "string" ? { id: String(row?.["id"]), key } : undefined;
  }

  /** True if the next events of the team are to claim it. */
  isDue(key: number): boolean {
    return this.#due.has(key);
  }

  /** True if the team is claimed, or may be, or will be with its next events, and is not being released. */
  canRelease(key: number): boolean {
    const mayBeClaimed = this.#held.has(key) || this.#due.has(key) || this.#unsure.has(key);
    return !this.#isShared || (mayBeClaimed && !this.#releasing.has(key));
  }

  /** True if the team may be claimed, and this host does not count on it. */
  isDoubted(key: number): boolean {
    return this.#unsure.has(key);
  }

  /** The journal of the team has claimed it with its events. */
  noteTaken(key: number): void {
    this.#due.delete(key);
    this.#unsure.delete(key);
    this.#held.add(key);
  }

  /** What kept this host's claims valid has ended: another host may take them, and this one has to claim teams again. */
  forget(): void {
    for (const key of this.#held) this.doubt(key);
    this.#held.clear();
  }

  /**
   * Where hosts have leases, the team may be another host's by now: this one has to claim it again, and to release it in
   * case it still has it.
   */
  doubt(key: number): void {
    if (!this.#hasLeases) return;
    this.#held.delete(key);
    this.#unsure.add(key);
  }

  /**
   * Gives the team up when what is queued of it is stored. Resolves when the row is gone.
   * @throws GavelError `StorageError`; the team is then still claimed.
   */
  async release(key: number): Promise<void> {
    if (!this.#isShared || !this.canRelease(key)) return;
    this.#releasing.add(key);
    try {
      await this.#queue.write<"release">({ kind: "release", team: key });
      this.#due.delete(key);
      this.#held.delete(key);
      this.#unsure.delete(key);
    } finally {
      this.#releasing.delete(key);
    }
  }
}
