import assert from "node:assert/strict";
import type { RandomInt } from "../../../server/engine/testing/random.ts";
import { TeamInspect } from "../../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { ServedHost } from "../../contract/harness/served-host.ts";
import { AskedRequests } from "./asked-requests.ts";
import { eightIds, finishTeams } from "./open-teams.ts";
import { Seat } from "./seat.ts";
import { storedEvents, storedProblems } from "./told.ts";
import { act, goOn, oneOf } from "./user-acts.ts";

const SEATS = 8;
/** What the host may refuse requests with. */
const REFUSALS = ["TeamBusy", "UnknownTeam", "InvalidResume", "InvalidParams", "RequestCancelled"];
/** Of so many draws, the host is killed in one. */
const DRAWS_PER_KILL = 7;
const MOST_EVENTS = 30;
/** So often a client that reads slowly stops, and for so many turns of its event loop. */
const MOST_STOPS = 20;
const MOST_TURNS = 20;

/** Eight clients of one host without a parent, which come and go while its eight teams run. */
export class Meeting implements AsyncDisposable {
  readonly #random: RandomInt;
  readonly #seats: readonly Seat[];
  readonly #asked = new AskedRequests(REFUSALS);
  readonly #done = new Map<string, number>();
  #host: ServedHost;

  private constructor(host: ServedHost, random: RandomInt) {
    this.#host = host;
    this.#random = random;
    this.#seats = Array.from({ length: SEATS }, (_, number) => new Seat(number));
  }

  static async begin(storagePath: string, random: RandomInt): Promise<Meeting> {
    return new Meeting(await ServedHost.start({ storagePath }), random);
  }

  /** What was done, and how often. */
  get summary(): string {
    return [...this.#done].map(([what, count]) => `${what}: ${count}`).join(", ");
  }

  /** All are there. */
  async open(): Promise<void> {
    for (const seat of this.#seats) if (!seat.isHere) await seat.join(this.#host);
  }

  /** Each client does something, after some events. */
  async draw(): Promise<void> {
    if (this.#random(DRAWS_PER_KILL) === 0) await this.#kill();
    for (const seat of this.#seats) {
      await this.#someEvents();
      await this.#use(seat);
    }
  }

  /** All return, the teams go on until they succeed, and each client has been told all of it. */
  async finish(): Promise<void> {
    await this.open();
    const [first] = this.#seats;
    assert.ok(first !== undefined);
    for (const teamId of eightIds) await first.client.send(TeamInspect, { teamId });
    await finishTeams(first.client);
    await this.#asked.answered();
    await finishTeams(first.client);
    for (const teamId of eightIds) {
      const stored = await storedEvents(first.client, teamId);
      const shown: TeamSnapshot = await first.client.send(TeamInspect, { teamId });
      const pending = new Set(shown.pendingTools.map(({ ref }) => ref));
      assert.deepEqual(storedProblems(stored, pending), [], `the team ${teamId}`);
      for (const seat of this.#seats) await seat.assertKnows(teamId, stored);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const seat of this.#seats) if (seat.isHere) seat.client.vanish();
    await this.#host[Symbol.asyncDispose]();
  }

  /** Some events of whoever is there, or as many as come while a request is answered. */
  async #someEvents(): Promise<void> {
    const here = this.#seats.filter(({ isHere }) => isHere);
    if (here.length === 0) return;
    const seat = oneOf(here, this.#random);
    const count = seat.told + this.#random(MOST_EVENTS);
    for (let left = MOST_EVENTS; left > 0 && seat.isHere && seat.told < count; left--)
      await seat.client.send(TeamInspect, { teamId: oneOf(eightIds, this.#random) }).catch(() => undefined);
  }

  async #use(seat: Seat): Promise<void> {
    if (!seat.isHere) {
      this.#note("returns");
      await seat.join(this.#host);
      return;
    }
    const acts: readonly (readonly [string, () => Promise<void> | void])[] = [
      ["acts", () => this.#act(seat)],
      ["acts", () => this.#act(seat)],
      ["goes on", () => this.#goOn(seat)],
      ["goes on", () => this.#goOn(seat)],
      ["leaves", () => seat.client.leave()],
      ["vanishes", () => seat.client.vanish()],
      ["reads slowly", () => this.#readSlowly(seat)],
    ];
    const [what, work] = oneOf(acts, this.#random);
    this.#note(what);
    await work();
  }

  #act(seat: Seat): void {
    const { client } = seat;
    this.#asked.add("an act", client.unlessGone(act(client, this.#random)));
  }

  #goOn({ client }: Seat): void {
    const teamId = oneOf(eightIds, this.#random);
    const going = client.send(TeamInspect, { teamId }).then((snapshot) => goOn(client, snapshot));
    this.#asked.add(`go on with ${teamId}`, client.unlessGone(going));
  }

  async #readSlowly({ client }: Seat): Promise<void> {
    for (let stops = this.#random(MOST_STOPS); stops > 0; stops--) {
      client.stream.pause();
      for (let turns = this.#random(MOST_TURNS); turns > 0; turns--) await new Promise((done) => setImmediate(done));
      client.stream.resume();
      await new Promise((done) => setImmediate(done));
    }
  }

  async #kill(): Promise<void> {
    this.#note("the host is killed");
    const here = this.#seats.filter(({ isHere }) => isHere);
    for (const { client } of here) client.expectEnd();
    this.#host = await this.#host.kill(here.map(({ client }) => client));
    for (const seat of here) await seat.join(this.#host);
  }

  #note(what: string): void {
    this.#done.set(what, (this.#done.get(what) ?? 0) + 1);
  }
}
