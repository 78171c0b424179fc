import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { TeamInterrupt, TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import type { HostClient } from "../../host-client.ts";
import { Child } from "../child.ts";
import { benchTeam } from "../contenders/bench-team.ts";
import { QUESTION } from "../contenders/contender.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { type BenchEndpoint, startEndpoint } from "../endpoint/endpoint.ts";
import { HostsSetting } from "../hosts-setting.ts";
import { median, ms, percentile, times } from "../statistics.ts";
import { TOKENS_PER_SECOND } from "./loads.ts";
import type { Bench, HowOften, Row } from "./row.ts";

const TEAMS = 8;
const INTERRUPTS = 150;
const WARM_UP = 10;
const INTERVAL_MS = 1000 / TOKENS_PER_SECOND;
/** How much longer than a round trip an interrupt may take across hosts, in milliseconds. */
const AIM_MS = 10;

type Place = "here" | "there";
const PLACES: readonly Place[] = ["here", "there"];

/** What it costs that a team runs in another host, over the host of the client that interrupts it, in the same run. */
export const hosts: Bench = {
  name: "hosts",
  title: `An interrupt across hosts, over one in the host that runs the team, with ${TEAMS} teams at ${TOKENS_PER_SECOND} tokens a second: PostgreSQL and NATS on this machine`,
  async run(howOften) {
    if (!isHostBuilt()) return [{ figure: "hosts", aim: "", measured: "not measured: run npm run build first" }];
    await using setting = await HostsSetting.start();
    await using parts = new AsyncDisposableStack();
    const endpoint = await startEndpoint();
    parts.defer(() => endpoint.stop());
    const teams = await Teams.start(setting, endpoint);
    const idle = rowsOf("", await teams.interrupts(howOften));
    parts.use(await busyDisk());
    const busy = rowsOf(", with a busy disk", await teams.interrupts(howOften));
    await teams.stop();
    return [...idle, ...busy];
  },
};

/** Milliseconds, of many interrupts. */
interface Measures {
  readonly roundTrip: number[];
  readonly effect: Record<Place, number[]>;
  readonly receipt: Record<Place, number[]>;
}

/** A client, and when it was last told that an interrupt has taken effect. */
interface Interrupter {
  readonly client: HostClient;
  toldAt: number;
}

/** Teams that run in one of two hosts, and are followed in the other one. */
class Teams {
  readonly #by: Readonly<Record<Place, Interrupter>>;
  readonly #setting: HostsSetting;
  readonly #ids = Array.from({ length: TEAMS }, (_, nth) => `team${nth}`);
  /** How many chunks the other host has told of each since its run began. */
  readonly #chunks = new Map<string, number>();
  readonly #runs = new Map<string, Promise<unknown>>();

  private constructor(by: Readonly<Record<Place, Interrupter>>, setting: HostsSetting) {
    this.#by = by;
    this.#setting = setting;
    by.here.client.onEvent(() => {});
    by.there.client.onEvent((teamId: string, event: TeamEvent) => {
      if (event.type === "message/chunk") this.#chunks.set(teamId, (this.#chunks.get(teamId) ?? 0) + 1);
    });
  }

  static async start(setting: HostsSetting, endpoint: BenchEndpoint): Promise<Teams> {
    const [here, there] = [await interrupter(setting), await interrupter(setting)];
    const teams = new Teams({ here, there }, setting);
    for (const teamId of teams.#ids) {
      const definition = benchTeam({ baseUrl: endpoint.url(teamId, 1e9, INTERVAL_MS), model: "bench" });
      await here.client.send(TeamOpen, { teamId, definition });
      await there.client.send(TeamOpen, { teamId });
      await teams.#run(teamId);
    }
    return teams;
  }

  /** Interrupts one after the other, from both hosts in turn, each after one round trip of the link. */
  async interrupts(howOften: HowOften): Promise<Measures> {
    const taken: Measures = { roundTrip: [], effect: { here: [], there: [] }, receipt: { here: [], there: [] } };
    await using link = await this.#setting.connect();
    const owner = await this.#setting.owner();
    for (let nth = -WARM_UP; nth < howOften(INTERRUPTS); nth++) {
      for (const place of PLACES) {
        const teamId = this.#ids[Math.floor(Math.random() * TEAMS)] ?? "";
        await pause(20 + Math.random() * INTERVAL_MS);
        const roundTrip = await link.roundTrip(owner);
        const by = this.#by[place];
        const started = performance.now();
        await by.client.send(TeamInterrupt, { teamId });
        if (nth >= 0) {
          taken.roundTrip.push(roundTrip);
          taken.receipt[place].push(performance.now() - started);
          taken.effect[place].push(by.toldAt - started);
        }
        await this.#runs.get(teamId);
        await this.#run(teamId);
      }
    }
    return taken;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#ids.map((teamId) => this.#by.here.client.send(TeamInterrupt, { teamId })));
    await Promise.all(this.#runs.values());
  }

  async #run(teamId: string): Promise<void> {
    this.#chunks.set(teamId, 0);
    this.#runs.set(teamId, this.#by.here.client.send(TeamRun, { teamId, task: QUESTION }));
    while ((this.#chunks.get(teamId) ?? 0) < 5) await pause(5);
  }
}

async function interrupter(setting: HostsSetting): Promise<Interrupter> {
  const own = { toldAt: 0 };
  const onInterruptReceived = (): void => {
    own.toldAt = performance.now();
  };
  return Object.assign(own, { client: await setting.host({ onInterruptReceived }) });
}

/** Keeps the file system busy on which PostgreSQL has its data, until it is disposed. */
async function busyDisk(): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-bench-"));
  const child = new Child("busy-disk.ts", [folder]);
  await child.next(z.object({ isBusy: z.literal(true) }));
  return {
    [Symbol.asyncDispose]: async () => {
      await child.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function rowsOf(disk: string, { roundTrip, effect, receipt }: Measures): Row[] {
  const floor = median(roundTrip);
  const aim = AIM_MS + floor;
  const isMet = percentile(effect.there, 99) <= aim ? "is met" : "is not met";
  return [
    {
      figure: `one round trip of the link to the host that runs the team${disk}; its 99th percentile`,
      aim: "",
      measured: `${ms(floor)}; ${ms(percentile(roundTrip, 99))}`,
    },
    {
      figure: `until it has taken effect${disk}; its 99th percentile`,
      aim: `p99 ${AIM_MS} ms plus one round trip`,
      measured: `${over(effect)}; the aim of ${ms(aim)} ${isMet}`,
    },
    { figure: `until its receipt, after the commit${disk}; its 99th percentile`, aim: "", measured: over(receipt) },
  ];
}

function over({ here, there }: Readonly<Record<Place, readonly number[]>>): string {
  const middle = `${times(median(there) / median(here))}, ${ms(median(there))} over ${ms(median(here))}`;
  return `${middle}; ${ms(percentile(there, 99))} over ${ms(percentile(here, 99))}`;
}
