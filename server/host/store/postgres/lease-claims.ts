import type { HostIdentity } from "../host-identity.ts";
import { type Claims, get, run, type Steps, seemsToRun } from "../write-steps.ts";

const HOLDER = `SELECT runs.host, runs.epoch, CASE WHEN hosts.until > clock_timestamp() THEN 1 ELSE 0 END AS isAlive
  FROM runs LEFT JOIN hosts ON hosts.id = runs.host WHERE team = ? FOR UPDATE OF runs`;
/** Of several hosts that claim a team at once, one finds it as it was. */
const CLAIM = `INSERT INTO runs (team, host, epoch) VALUES (?, ?, nextval('epochs')) ON CONFLICT (team) DO UPDATE
  SET host = excluded.host, epoch = excluded.epoch WHERE runs.epoch = ? RETURNING epoch`;
const HAS = "SELECT epoch FROM runs WHERE team = ? AND host = ? AND epoch = ? FOR SHARE";
const RELEASE = "DELETE FROM runs WHERE team = ? AND host = ?";
const RENEW = `INSERT INTO hosts (id, key, until) VALUES (?, ?, clock_timestamp() + ? * interval '1 millisecond')
  ON CONFLICT (id) DO UPDATE SET until = excluded.until`;

/**
 * The teams of hosts that share a store on a server. A host has its teams until its lease ends, which it renews; then
 * another host may take them, under a new epoch. Each append reads the epoch under which its host claimed the team, and
 * keeps that row as it is until it is committed: a takeover waits for it, and what the host appends after a takeover changes
 * nothing. Times are the server's.
 */
export class LeaseClaims implements Claims {
  readonly #host: string;
  readonly #key: string;
  readonly #lease: number;
  readonly #epochs = new Map<number, number>();
  /** What the transaction in progress has changed. */
  readonly #changed = new Map<number, number | undefined>();

  /** `lease`: milliseconds. */
  constructor({ id, key }: HostIdentity, lease: number) {
    this.#host = id;
    this.#key = key;
    this.#lease = lease;
  }

  /** Whether this host has teams, so that its lease has to be renewed. */
  get isNeeded(): boolean {
    return this.#epochs.size > 0;
  }

  *claim(team: number, fromDead: boolean): Steps<boolean> {
    const holder = yield* get(HOLDER, team);
    if (holder === undefined) {
      if (fromDead && !(yield* seemsToRun(team))) return false;
    } else if (holder["host"] !== this.#host && holder["isAlive"] === 1) return false;
    yield* this.renew();
    const claimed = yield* get(CLAIM, team, this.#host, holder?.["epoch"] ?? null);
    if (claimed === undefined) return false;
    this.#changed.set(team, Number(claimed["epoch"]));
    return true;
  }

  /** Also a team that it does not know to have: the answer to its claim may have been lost. */
  *release(team: number): Steps<void> {
    yield* run([RELEASE, team, this.#host]);
    this.#changed.set(team, undefined);
  }

  *has(team: number): Steps<boolean | undefined> {
    const epoch = this.#epochOf(team);
    if (epoch === undefined) return undefined;
    return (yield* get(HAS, team, this.#host, epoch)) !== undefined;
  }

  *renew(): Steps<void> {
    yield* run([RENEW, this.#host, this.#key, this.#lease]);
  }

  /** Its teams are free at once. */
  *end(): Steps<void> {
    yield* run(["DELETE FROM runs WHERE host = ?", this.#host], ["DELETE FROM hosts WHERE id = ?", this.#host]);
  }

  committed(): void {
    for (const [team, epoch] of this.#changed) {
      if (epoch === undefined) this.#epochs.delete(team);
      else this.#epochs.set(team, epoch);
    }
    this.#changed.clear();
  }

  /** `isUnknown`: the transaction may have been committed all the same. */
  rolledBack(isUnknown: boolean): void {
    if (isUnknown) for (const team of this.#changed.keys()) this.#epochs.delete(team);
    this.#changed.clear();
  }

  #epochOf(team: number): number | undefined {
    return this.#changed.has(team) ? this.#changed.get(team) : this.#epochs.get(team);
  }
}
