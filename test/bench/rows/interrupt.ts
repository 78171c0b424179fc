import { setTimeout as pause } from "node:timers/promises";
import { benchTeam } from "../contenders/bench-team.ts";
import { QUESTION } from "../contenders/contender.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { type Endpoint, startEndpoint } from "../endpoint/endpoint.ts";
import { HostClient } from "../host-client.ts";
import { ms, percentile } from "../statistics.ts";
import type { Bench, Row } from "./row.ts";

const TEAMS = 8;
/** 200 tokens a second. */
const INTERVAL_MS = 5;
const WARM_UP = 16;
const SAMPLES = 320;

interface Sample {
  readonly acknowledged: number;
  readonly receipt: number;
  readonly closed: number;
  /** A request that the host knows nothing of, at once before: what any answer costs on this machine. */
  readonly floor: number;
}

/** How soon one of many streaming teams hears an interrupt; times in milliseconds from the request, as a client sees them. */
export const interrupt: Bench = {
  name: "interrupt",
  async run() {
    if (!isHostBuilt())
      return [{ figure: "interrupt under load", aim: "", measured: "not measured: run npm run build first" }];
    const endpoint = await startEndpoint();
    const client = await HostClient.start();
    const teams = new Teams(client, endpoint);
    try {
      await teams.start();
      const samples: Sample[] = [];
      for (let at = -WARM_UP; at < SAMPLES; at++) {
        const sample = await teams.interruptOne(`team${(at + WARM_UP) % TEAMS}`);
        if (at >= 0) samples.push(sample);
      }
      return rowsOf(samples);
    } finally {
      await client.stop();
      await endpoint.stop();
    }
  },
};

class Teams {
  readonly #client: HostClient;
  readonly #endpoint: Endpoint;
  readonly #chunks = new Map<string, number>();
  readonly #runs = new Map<string, Promise<unknown>>();
  #acknowledged: (at: bigint) => void = () => {};

  constructor(client: HostClient, endpoint: Endpoint) {
    this.#client = client;
    this.#endpoint = endpoint;
    client.onEvent((teamId, { type }) => {
      if (type === "interrupt/acknowledged") this.#acknowledged(process.hrtime.bigint());
      else if (type === "message/chunk") this.#chunks.set(teamId, (this.#chunks.get(teamId) ?? 0) + 1);
    });
  }

  async start(): Promise<void> {
    for (let at = 0; at < TEAMS; at++) {
      const teamId = `team${at}`;
      await this.#client.open(
        teamId,
        benchTeam({ baseUrl: this.#endpoint.url(teamId, 1e9, INTERVAL_MS), model: "bench" }),
      );
      this.#runs.set(teamId, this.#client.run(teamId, QUESTION));
    }
  }

  /** Interrupts one in mid-stream, then sets it going again. */
  async interruptOne(teamId: string): Promise<Sample> {
    await this.#streaming(teamId);
    const acknowledged = new Promise<bigint>((resolve) => {
      this.#acknowledged = resolve;
    });
    const closed = this.#endpoint.closed(teamId);
    const floor = await this.#client.roundTrip();
    const requested = process.hrtime.bigint();
    const receipt = this.#client.interrupt(teamId).then(() => process.hrtime.bigint());
    const since = async (moment: Promise<bigint>): Promise<number> => Number((await moment) - requested) / 1e6;
    const sample = {
      acknowledged: await since(acknowledged),
      receipt: await since(receipt),
      closed: await since(closed),
      floor,
    };
    await this.#runs.get(teamId);
    this.#chunks.set(teamId, 0);
    this.#runs.set(teamId, this.#client.run(teamId));
    return sample;
  }

  /** Waits until all stream, this one well under way. */
  async #streaming(teamId: string): Promise<void> {
    const isUnderWay = (): boolean =>
      this.#chunks.size === TEAMS &&
      [...this.#chunks.values()].every((count) => count > 0) &&
      (this.#chunks.get(teamId) ?? 0) > 5;
    do await pause(20 + Math.random() * INTERVAL_MS);
    while (!isUnderWay());
  }
}

function rowsOf(samples: readonly Sample[]): Row[] {
  const row = (figure: string, aim: string, of: (sample: Sample) => number): Row => {
    const values = samples.map(of);
    return { figure, aim, measured: `p50 ${ms(percentile(values, 50))}, p99 ${ms(percentile(values, 99))}` };
  };
  const load = `while ${TEAMS} teams stream ${1000 / INTERVAL_MS} tokens/s each`;
  return [
    row(`interrupt acknowledged ${load}`, "p99 10 ms", ({ acknowledged }) => acknowledged),
    row(`interrupt to its receipt ${load}`, "", ({ receipt }) => receipt),
    row(`interrupt to the model's connection closed ${load}`, "p99 20 ms", ({ closed }) => closed),
    row(`answer to a request for nothing ${load}`, "", ({ floor }) => floor),
  ];
}
