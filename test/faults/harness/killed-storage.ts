import assert from "node:assert/strict";
import type { RandomInt } from "../../../server/engine/testing/random.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { HostClient } from "../../host-client.ts";
import { eightIds, openTeams } from "./open-teams.ts";
import { act, goOn } from "./user-acts.ts";

/** One of many events is followed by a request of the user. */
const REQUESTS_AMONG_EVENTS = 40;

/** A storage folder whose hosts are killed one after the other, and what their clients know. */
export class KilledStorage {
  readonly #path: string;
  readonly #random: RandomInt;
  /** How often the client ran each call. */
  readonly #ran = new Map<string, number>();
  /** What clients of killed hosts were told, by team. */
  readonly #told = new Map<string, readonly TeamEvent[]>();

  constructor(path: string, random: RandomInt) {
    this.#path = path;
    this.#random = random;
  }

  /** Opens all teams, lets them run while the user acts, and kills the host after a random number of events. */
  async runAndKill(): Promise<void> {
    await using host = await this.#start();
    const opened = await this.#openAll(host);
    const last = this.#random(500);
    const killed = new Promise<void>((resolve) => {
      let seen = 0;
      const onEvent = (): boolean => {
        seen++;
        // A killed host answers nothing.
        if (this.#random(REQUESTS_AMONG_EVENTS) === 0) act(host, this.#random).catch(() => {});
        if (seen > last) resolve();
        return false;
      };
      for (const teamId of eightIds) void host.event(teamId, onEvent);
    });
    // A host whose teams have all ended before is killed at rest.
    await Promise.race([killed, Promise.allSettled(opened.map((snapshot) => goOn(host, snapshot)))]);
    await host.kill();
    this.#keepTold(host);
  }

  /** Lets every team end its work in a host that is shut down, and checks what the next one finds. */
  async finish(): Promise<void> {
    await using host = await this.#start();
    const snapshots = await this.#openAll(host);
    await Promise.all(snapshots.map((snapshot) => goOn(host, snapshot)));
    assert.equal(await host.shutdown(), 0);
    this.#keepTold(host);
    await using next = await this.#start();
    await this.#openAll(next);
  }

  #keepTold(host: HostClient): void {
    for (const teamId of eightIds)
      this.#told.set(teamId, [...(this.#told.get(teamId) ?? []), ...host.eventsOf(teamId)]);
  }

  #start(): Promise<HostClient> {
    return HostClient.start({
      storagePath: this.#path,
      onToolCall: ({ ref, teamId }) => {
        // A copy of a team may be deleted with its calls.
        if (eightIds.includes(teamId)) this.#ran.set(ref, (this.#ran.get(ref) ?? 0) + 1);
        return { output: "recorded" };
      },
    });
  }

  /** Opens every team, and compares what is stored with what clients were told and did. */
  async #openAll(host: HostClient): Promise<TeamSnapshot[]> {
    const requested = new Set<string>();
    const snapshots = await openTeams(host, this.#told, (event) => {
      if (event.type === "tool/requested") for (const { ref } of event.calls) requested.add(ref);
    });
    const wrong = [...this.#ran].filter(([ref, count]) => count !== 1 || !requested.has(ref));
    assert.deepEqual(wrong, [], "calls that ran twice, or whose request is not stored");
    return snapshots;
  }
}
