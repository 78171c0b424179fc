import assert from "node:assert/strict";
import { it } from "node:test";
import { type RandomInt, seededRandom } from "../../server/engine/testing/random.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { TeamInspect, TeamInterrupt, TeamList } from "../../shared/contract/requests.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { HostClient } from "../host-client.ts";
import { AskedRequests } from "./harness/asked-requests.ts";
import { clientFaults, vanish } from "./harness/client-faults.ts";
import { EventCount } from "./harness/event-count.ts";
import { assertToldAll, eightIds, finishTeams, openTeams } from "./harness/open-teams.ts";
import { act, goOn, oneOf } from "./harness/user-acts.ts";

/** How many clients use the teams, one after the other. */
const CLIENTS = Number(process.env["FAULT_CLIENTS"] ?? 3);
/** Printed with the test. The same seed makes the same choices, as far as the events come in the same order. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const LIMIT = { timeout: (CLIENTS * 60 + 240) * 1000 };
/** Clients that use one storage. */
const CLIENTS_PER_STORAGE = 3;
const REQUESTS_AMONG_EVENTS = 60;
/** Of so many calls of a client's tool, one is never answered. */
const CALLS_PER_SILENCE = 8;
const MOST_FAULTS = 3;
const MOST_EVENTS = 200;
/** When no event comes during so many requests, what still runs waits for calls that are not answered. */
const QUIET_REQUESTS = 300;

/** What the host may refuse requests with. */
const REFUSALS = ["TeamBusy", "UnknownTeam", "InvalidResume", "InvalidParams"];

it(
  `${CLIENTS} clients of eight teams read slowly, stop, answer nothing, or vanish: another process finds all that they were told, and goes on (seed ${SEED})`,
  LIMIT,
  async (t) => {
    const random = seededRandom(SEED);
    const seen = new Map<string, number>();
    for (let nth = 0; nth < CLIENTS; nth += CLIENTS_PER_STORAGE) {
      using scratch = new Scratch();
      const storage = new SharedStorage(scratch.path, random, (what) => seen.set(what, (seen.get(what) ?? 0) + 1));
      for (let client = nth; client < Math.min(nth + CLIENTS_PER_STORAGE, CLIENTS); client++)
        await storage.useWithFaults();
    }
    t.diagnostic([...seen].map(([what, count]) => `${what}: ${count}`).join(", "));
  },
);

/** A storage folder that clients use one after the other, each beside a window that looks at the same teams. */
class SharedStorage {
  readonly #path: string;
  readonly #random: RandomInt;
  readonly #note: (what: string) => void;
  /** Whether calls of the client's tool may be left without an answer. */
  #isSilent = false;
  /** What clients were told, by team. */
  readonly #told = new Map<string, readonly TeamEvent[]>();

  constructor(path: string, random: RandomInt, note: (what: string) => void) {
    this.#path = path;
    this.#random = random;
    this.#note = note;
  }

  async useWithFaults(): Promise<void> {
    await using client = await this.#start();
    const opened = await openTeams(client, this.#told);
    await using watcher = await this.#start();
    const watched = await openTeams(watcher, this.#told);
    const asked = new AskedRequests(REFUSALS);
    this.#isSilent = true;
    using events = new EventCount(client, () => {
      if (this.#random(REQUESTS_AMONG_EVENTS) === 0) asked.add("an act", act(client, this.#random));
    });
    for (const snapshot of opened) asked.add(`run ${snapshot.teamId}`, goOn(client, snapshot));
    for (let left = this.#random(MOST_FAULTS); left > 0; left--) {
      await this.#someEvents(client, events, asked);
      const { name, run } = oneOf(clientFaults, this.#random);
      this.#note(name);
      await run(client, asked, watcher, this.#random);
    }
    await this.#someEvents(client, events, asked);
    events[Symbol.dispose]();
    this.#isSilent = false;
    if (this.#random(2) === 0) {
      this.#note("vanishes");
      assert.equal(await vanish(client), 1);
    } else {
      // Calls that this client never answers would keep their runs from ending.
      for (const teamId of eightIds) asked.add(`interrupt ${teamId}`, client.send(TeamInterrupt, { teamId }));
      await asked.answered();
      await finishTeams(client);
      await assertToldAll(client, opened);
      assert.equal(await client.shutdown(), 0);
    }
    this.#keepTold(client);
    // The other window is told what happened, and takes the teams over.
    for (const teamId of eightIds) await watcher.send(TeamInspect, { teamId });
    await openTeams(watcher, this.#told);
    await finishTeams(watcher);
    await assertToldAll(watcher, watched);
    assert.equal(await watcher.shutdown(), 0);
    this.#keepTold(watcher);
  }

  /** Resolves after some more events, or when there are no more: every request is answered, or waits for a silent tool. */
  async #someEvents(client: HostClient, events: EventCount, asked: AskedRequests): Promise<void> {
    const some = new AbortController();
    const enough = Promise.race([events.next(this.#random(MOST_EVENTS)), asked.idle()]);
    await Promise.race([enough, this.#quiet(client, events, some.signal)]);
    some.abort();
  }

  /** Resolves when no event has come during many requests. */
  async #quiet(client: HostClient, events: EventCount, signal: AbortSignal): Promise<void> {
    let seen = events.seen;
    for (let left = QUIET_REQUESTS; left > 0 && !signal.aborted; left--) {
      await client.send(TeamList, {});
      if (events.seen !== seen) left = QUIET_REQUESTS;
      seen = events.seen;
    }
  }

  #keepTold(host: HostClient): void {
    for (const teamId of eightIds)
      this.#told.set(teamId, [...(this.#told.get(teamId) ?? []), ...host.eventsOf(teamId)]);
  }

  #start(): Promise<HostClient> {
    return HostClient.start({
      storagePath: this.#path,
      onToolCall: (_, signal) => {
        if (!this.#isSilent || this.#random(CALLS_PER_SILENCE) > 0) return { output: "recorded" };
        this.#note("does not answer a call");
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ output: "too late" })));
      },
    });
  }
}
