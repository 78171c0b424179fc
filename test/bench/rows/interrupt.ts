import { setTimeout as pause } from "node:timers/promises";
import { TeamInterrupt, TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import type { HostClient } from "../../host-client.ts";
import { roundTrip, startBenchHost } from "../bench-host.ts";
import { benchTeam } from "../contenders/bench-team.ts";
import { QUESTION } from "../contenders/contender.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { type BenchEndpoint, startEndpoint } from "../endpoint/endpoint.ts";
import { percentile, slashed } from "../statistics.ts";
import { LOADS, TOKENS_PER_SECOND } from "./loads.ts";
import type { Bench, HowOften, Row } from "./row.ts";

const INTERVAL_MS = 1000 / TOKENS_PER_SECOND;
const WARM_UP = 16;
const SAMPLES = 240;

interface Sample {
  readonly acknowledged: number;
  readonly receipt: number;
  readonly closed: number;
  /** The answer to an unknown request, sent just before: what any answer costs on this machine. */
  readonly floor: number;
}

/** How soon one of many streaming teams is interrupted; milliseconds from the request, as a client sees them. */
export const interruptBench: Bench = {
  name: "interrupt",
  title: `From an interrupt to what a client sees of it, while ${LOADS.join(" / ")} teams of one host stream ${TOKENS_PER_SECOND} tokens/s each`,
  async run(howOften) {
    if (!isHostBuilt())
      return [{ figure: "interrupt under load", aim: "", measured: "not measured: run npm run build first" }];
    const samples: Sample[][] = [];
    for (const load of LOADS) samples.push(await samplesAt(load, howOften));
    return rowsOf(samples);
  },
};

async function samplesAt(load: number, howOften: HowOften): Promise<Sample[]> {
  const endpoint = await startEndpoint();
  const { client, stop } = await startBenchHost();
  const teams = new Teams(client, endpoint, load);
  try {
    await teams.start();
    const samples: Sample[] = [];
    for (let at = -WARM_UP; at < howOften(SAMPLES); at++) {
      const sample = await teams.interruptOne(`team${(at + WARM_UP) % load}`);
      if (at >= 0) samples.push(sample);
    }
    return samples;
  } finally {
    await stop();
    await endpoint.stop();
  }
}

class Teams {
  readonly #client: HostClient;
  readonly #endpoint: BenchEndpoint;
  readonly #count: number;
  readonly #chunks = new Map<string, number>();
  readonly #runs = new Map<string, Promise<unknown>>();
  #acknowledged: (at: bigint) => void = () => {};

  constructor(client: HostClient, endpoint: BenchEndpoint, count: number) {
    this.#client = client;
    this.#endpoint = endpoint;
    this.#count = count;
    client.onEvent((teamId, { type }) => {
      if (type === "interrupt/acknowledged") this.#acknowledged(process.hrtime.bigint());
      else if (type === "message/chunk") this.#chunks.set(teamId, (this.#chunks.get(teamId) ?? 0) + 1);
    });
  }

  async start(): Promise<void> {
    for (let at = 0; at < this.#count; at++) {
      const teamId = `team${at}`;
      const baseUrl = this.#endpoint.url(teamId, 1e9, INTERVAL_MS);
      await this.#client.send(TeamOpen, { teamId, definition: benchTeam({ baseUrl, model: "bench" }) });
      this.#runs.set(teamId, this.#client.send(TeamRun, { teamId, task: QUESTION }));
    }
  }

  /** Interrupts one in mid-stream, then resumes it. */
  async interruptOne(teamId: string): Promise<Sample> {
    await this.#streaming(teamId);
    const acknowledged = new Promise<bigint>((resolve) => {
      this.#acknowledged = resolve;
    });
    const closed = this.#endpoint.closed(teamId);
    const floor = await roundTrip(this.#client);
    const requested = process.hrtime.bigint();
    const receipt = this.#client.send(TeamInterrupt, { teamId }).then(() => process.hrtime.bigint());
    const since = async (moment: Promise<bigint>): Promise<number> => Number((await moment) - requested) / 1e6;
    const sample = {
      acknowledged: await since(acknowledged),
      receipt: await since(receipt),
      closed: await since(closed),
      floor,
    };
    await this.#runs.get(teamId);
    this.#chunks.set(teamId, 0);
    this.#runs.set(teamId, this.#client.send(TeamRun, { teamId }));
    return sample;
  }

  /** Waits until all stream and this one has streamed some text. */
  async #streaming(teamId: string): Promise<void> {
    const isUnderWay = (): boolean =>
      this.#chunks.size === this.#count &&
      [...this.#chunks.values()].every((count) => count > 0) &&
      (this.#chunks.get(teamId) ?? 0) > 5;
    do await pause(20 + Math.random() * INTERVAL_MS);
    while (!isUnderWay());
  }
}

function rowsOf(samples: readonly (readonly Sample[])[]): Row[] {
  const row = (figure: string, aim: string, of: (sample: Sample) => number): Row => {
    const at = (percent: number): string =>
      slashed(
        samples.map((ofLoad) => percentile(ofLoad.map(of), percent)),
        "ms",
      );
    return { figure, aim, measured: `p50 ${at(50)}; p99 ${at(99)}` };
  };
  return [
    row("acknowledged", "p99 10 ms at 8", ({ acknowledged }) => acknowledged),
    row("at rest, by the receipt", "", ({ receipt }) => receipt),
    row("the model's connection closed", "p99 20 ms at 8", ({ closed }) => closed),
    row("for comparison, the answer to a request for nothing", "", ({ floor }) => floor),
  ];
}
