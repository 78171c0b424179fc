import { type Claims, get, known, run, type Steps, seemsToRun } from "../write-steps.ts";
import type { HostLock } from "./host-lock.ts";

const CLAIM = "INSERT INTO runs (team, host) VALUES (?, ?) ON CONFLICT (team) DO UPDATE SET host = excluded.host";

/**
 * The teams of hosts on one machine: a claim is valid while its host is alive, which its lock says. The transaction keeps
 * other hosts from claiming a team at the same time, and no host takes one from a host that is alive.
 */
export class LockClaims implements Claims, Disposable {
  readonly #host: HostLock;

  constructor(host: HostLock) {
    this.#host = host;
  }

  *claim(team: number, fromDead: boolean): Steps<boolean> {
    this.#host.hold();
    const holder = (yield* get("SELECT host FROM runs WHERE team = ?", team))?.["host"];
    if (typeof holder === "string" ? this.#isOther(holder) : fromDead && !(yield* seemsToRun(team))) return false;
    yield* run([CLAIM, team, this.#host.id]);
    return true;
  }

  *release(team: number): Steps<void> {
    yield* run(["DELETE FROM runs WHERE team = ? AND host = ?", team, this.#host.id]);
  }

  has(): Steps<boolean> {
    return known(true);
  }

  [Symbol.dispose](): void {
    this.#host[Symbol.dispose]();
  }

  #isOther(holder: string): boolean {
    return holder !== this.#host.id && this.#host.isAlive(holder);
  }
}

/** The teams of a store in memory: no other host can have one. */
export class NoClaims implements Claims, Disposable {
  claim(): Steps<boolean> {
    return known(true);
  }

  release(): Steps<void> {
    return known(undefined);
  }

  has(): Steps<boolean> {
    return known(true);
  }

  [Symbol.dispose](): void {}
}
