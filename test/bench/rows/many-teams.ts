import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { TeamInterrupt, TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import { HostClient, type HostOptions } from "../../host-client.ts";
import { benchTeam } from "../contenders/bench-team.ts";
import { QUESTION } from "../contenders/contender.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { type BenchEndpoint, startEndpoint } from "../endpoint/endpoint.ts";
import { TURN_PIECES } from "../endpoint/script.ts";
import { HostsSetting } from "../hosts-setting.ts";
import { residentBytes, workedMs } from "../process-figures.ts";
import { median, percentile, slashed, times } from "../statistics.ts";
import { TOKENS_PER_SECOND } from "./loads.ts";
import type { Bench, HowOften, Row } from "./row.ts";

const TEAMS = 200;
const SEVERAL = 4;
/** What a model of today says in a second. */
const PACE = 50;
const CHUNK_MS = 1000 / PACE;
const ROUNDS = 8;
const INTERRUPT_ROUNDS = 12;
const FURTHER = "further";

/**
 * As many teams as an office may have, in one host and in several. Where all hosts share two cores with all else, several
 * cannot be faster than one: it is seen what it costs to have them.
 */
export const manyTeams: Bench = {
  name: "hosts",
  title:
    `${TEAMS} teams with a turn of ${TURN_PIECES} chunks at ${PACE} tokens a second each, all at once, on the ` +
    `${availableParallelism()} cores that hosts, servers, endpoint and clients share: one host with a folder / ` +
    `one with PostgreSQL / ${SEVERAL} with PostgreSQL, on a link`,
  async run(howOften) {
    if (!isHostBuilt()) return [{ figure: "many teams", aim: "", measured: "not measured: run npm run build first" }];
    await using parts = new AsyncDisposableStack();
    const setting = parts.use(await HostsSetting.start());
    const endpoint = await startEndpoint();
    parts.defer(() => endpoint.stop());
    const folder = await mkdtemp(join(tmpdir(), "gavel-bench-"));
    parts.defer(() => rm(folder, { recursive: true, force: true }));
    const groups: HostGroup[] = [];
    for (const [count, start] of [
      [1, (options: HostOptions) => HostClient.start({ storagePath: folder, unchecked: true, ...options })],
      [1, (options: HostOptions) => setting.host(options, "one")],
      [SEVERAL, (options: HostOptions) => setting.host(options, "several")],
    ] as const)
      groups.push(parts.use(await HostGroup.start(count, start, endpoint)));
    return await measure(groups, endpoint, howOften);
  },
};

/** Rounds of all groups in turn, so that what else the machine does hits them alike. */
async function measure(groups: readonly HostGroup[], endpoint: BenchEndpoint, howOften: HowOften): Promise<Row[]> {
  const alone: number[] = [];
  for (let nth = -1; nth < howOften(ROUNDS); nth++) {
    const taken = await paceAlone(endpoint);
    if (nth >= 0) alone.push(taken);
    for (const group of groups) await group.round(nth >= 0);
  }
  for (let nth = 0; nth < howOften(INTERRUPT_ROUNDS); nth++) for (const group of groups) await group.interruptRound();
  return rowsOf(median(alone), groups);
}

/** How long the endpoint takes for as many turns at once, read by nothing but this process. */
async function paceAlone(endpoint: BenchEndpoint): Promise<number> {
  const started = performance.now();
  const read = async (nth: number): Promise<void> => {
    const url = `${endpoint.url(`alone${nth}`, TURN_PIECES, CHUNK_MS)}/chat/completions`;
    await (await fetch(url, { method: "POST", body: "{}" })).text();
  };
  await Promise.all(Array.from({ length: TEAMS }, (_, nth) => read(nth)));
  return performance.now() - started;
}

/** Some hosts, each with a client and its part of the teams, and one further team in the first of them. */
class HostGroup implements AsyncDisposable {
  /** Milliseconds, of each round. */
  readonly turns: number[] = [];
  readonly worked: number[] = [];
  /** The memory of all hosts at the end of each round. */
  readonly bytes: number[] = [];
  /** Milliseconds, of each interrupt. */
  readonly interrupts: number[] = [];
  /** Milliseconds from one chunk of a turn to its next. */
  readonly gaps: number[] = [];
  readonly #clients: readonly HostClient[];
  readonly #told: { interruptAt: number };
  /** When each team was last told a chunk. */
  readonly #lastChunk = new Map<string, number>();
  #furtherChunks = 0;

  private constructor(clients: readonly HostClient[], told: { interruptAt: number }) {
    this.#clients = clients;
    this.#told = told;
    for (const client of clients)
      client.onEvent((teamId, { type }) => {
        if (type === "message/chunk") this.#chunk(teamId);
      });
  }

  static async start(
    count: number,
    start: (options: HostOptions) => Promise<HostClient>,
    endpoint: BenchEndpoint,
  ): Promise<HostGroup> {
    const told = { interruptAt: 0 };
    const onInterruptReceived = (): void => {
      told.interruptAt = performance.now();
    };
    const clients: HostClient[] = [];
    for (let nth = 0; nth < count; nth++) clients.push(await start({ onInterruptReceived }));
    const group = new HostGroup(clients, told);
    const open = (client: HostClient | undefined, teamId: string, baseUrl: string): Promise<unknown> | undefined =>
      client?.send(TeamOpen, { teamId, definition: benchTeam({ baseUrl, model: "bench" }) });
    for (const [client, teamId] of group.#teams())
      await open(client, teamId, endpoint.url(teamId, TURN_PIECES, CHUNK_MS));
    await open(clients[0], FURTHER, endpoint.url(FURTHER, 1e9, 1000 / TOKENS_PER_SECOND));
    return group;
  }

  /** Runs a turn of each team. */
  async round(counts: boolean): Promise<void> {
    const worked = await this.#sum(workedMs);
    const started = performance.now();
    await this.#runAll();
    const taken = performance.now() - started;
    if (!counts) this.gaps.length = 0;
    if (!counts) return;
    this.turns.push(taken);
    this.worked.push((await this.#sum(workedMs)) - worked);
    this.bytes.push(await this.#sum(residentBytes));
  }

  /** Runs a turn of each team, and interrupts the further one again and again meanwhile. */
  async interruptRound(): Promise<void> {
    const [client] = this.#clients;
    if (client === undefined) return;
    const gaps = this.gaps.length;
    let run = await this.#runFurther(client);
    let isOver = false;
    const turns = this.#runAll().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await pause(20 + Math.random() * CHUNK_MS);
      const started = performance.now();
      await client.send(TeamInterrupt, { teamId: FURTHER });
      if (!isOver) this.interrupts.push(this.#told.interruptAt - started);
      await run.ended;
      run = await this.#runFurther(client);
    }
    await turns;
    await client.send(TeamInterrupt, { teamId: FURTHER });
    await run.ended;
    this.gaps.length = gaps;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client[Symbol.asyncDispose]();
  }

  /** Resolves when it has said some words. */
  async #runFurther(client: HostClient): Promise<{ readonly ended: Promise<unknown> }> {
    this.#furtherChunks = 0;
    const ended = client.send(TeamRun, { teamId: FURTHER, task: QUESTION });
    while (this.#furtherChunks < 5) await pause(5);
    return { ended };
  }

  async #runAll(): Promise<void> {
    this.#lastChunk.clear();
    await Promise.all(this.#teams().map(([client, teamId]) => client.send(TeamRun, { teamId, task: QUESTION })));
  }

  #teams(): (readonly [HostClient, string])[] {
    const each = TEAMS / this.#clients.length;
    return this.#clients.flatMap((client, host) =>
      Array.from({ length: each }, (_, nth) => [client, `team${host}-${nth}`] as const),
    );
  }

  #chunk(teamId: string): void {
    if (teamId === FURTHER) {
      this.#furtherChunks++;
      return;
    }
    const [now, last] = [performance.now(), this.#lastChunk.get(teamId)];
    if (last !== undefined) this.gaps.push(now - last);
    this.#lastChunk.set(teamId, now);
  }

  async #sum(of: (pid: number | undefined) => Promise<number>): Promise<number> {
    if (process.platform !== "linux") return Number.NaN;
    const all = await Promise.all(this.#clients.map((client) => of(client.process.pid)));
    return all.reduce((sum, one) => sum + one, 0);
  }
}

function rowsOf(alone: number, groups: readonly HostGroup[]): Row[] {
  const each = (of: (group: HostGroup) => number, unit: string): string => slashed(groups.map(of), unit);
  const turns = groups.map((group) => median(group.turns));
  const [, one = Number.NaN, several = Number.NaN] = turns;
  const over = turns.map((taken) => (taken / alone).toFixed(2)).join(" / ");
  return [
    {
      figure: "until all turns have ended, over the same turns read from the endpoint alone",
      aim: "",
      measured: `${over} times, ${slashed(turns, "ms")} over ${slashed([alone], "ms")}`,
    },
    { figure: `the same, ${SEVERAL} hosts over 1`, aim: "", measured: times(several / one) },
    {
      figure: "an interrupt of one further team meanwhile, until it has taken effect",
      aim: "",
      measured: `p50 ${each((group) => median(group.interrupts), "ms")}; p99 ${each((group) => percentile(group.interrupts, 99), "ms")}`,
    },
    {
      figure: `from one chunk of a team to the next, which the model sends after ${CHUNK_MS} ms, as a client sees them`,
      aim: "",
      measured: `p50 ${each((group) => median(group.gaps), "ms")}; p99 ${each((group) => percentile(group.gaps, 99), "ms")}`,
    },
    {
      figure: "processor time of all hosts together, for each turn",
      aim: "",
      measured: each((group) => median(group.worked) / TEAMS, "ms"),
    },
    {
      figure: "memory of all hosts together, at most after a round",
      aim: "",
      measured: each((group) => Math.max(...group.bytes) / 1e6, "MB"),
    },
  ];
}
