import { setTimeout as pause } from "node:timers/promises";
import { natsProgram } from "../../../scripts/servers/nats-program.ts";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { TeamInterrupt, TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import { HostClient } from "../../host-client.ts";
import { WorkerProcess } from "../../link/worker-process.ts";
import { Nats } from "../../servers/nats.ts";
import { benchTeam } from "../contenders/bench-team.ts";
import { INSTRUCTIONS, QUESTION } from "../contenders/contender.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { type BenchEndpoint, startEndpoint } from "../endpoint/endpoint.ts";
import { TURN_PIECES } from "../endpoint/script.ts";
import { median, ms, percentile, times } from "../statistics.ts";
import { TOKENS_PER_SECOND } from "./loads.ts";
import type { Bench, HowOften, Row } from "./row.ts";

const TURNS = 150;
const INTERRUPTS = 120;
const WARM_UP = 10;

type Place = "here" | "there";
const PLACES: readonly Place[] = ["here", "there"];

/** What it costs that a participant is on a worker, over one in the host, in the same run. */
export const workers: Bench = {
  name: "workers",
  title: "A participant on a worker, over NATS on this machine, over one in the host",
  async run(howOften) {
    if (!isHostBuilt()) return [{ figure: "workers", aim: "", measured: "not measured: run npm run build first" }];
    const program = await natsProgram();
    return [await turnRow(program, howOften), await interruptRow(program, howOften)];
  },
};

/** A host and a worker on a link, with the same participant in each. */
class Setting implements AsyncDisposable {
  readonly host: HostClient;
  /** How many chunks were told of each team since it was set to 0. */
  readonly chunks: Record<Place, number> = { here: 0, there: 0 };
  readonly #parts: AsyncDisposableStack;

  private constructor(host: HostClient, parts: AsyncDisposableStack) {
    this.host = host;
    this.#parts = parts;
    host.onEvent((teamId: string, event: TeamEvent) => {
      if (event.type === "message/chunk") this.chunks[teamId as Place]++;
    });
  }

  static async start(program: string, urlOf: (endpoint: BenchEndpoint, place: Place) => string): Promise<Setting> {
    await using parts = new AsyncDisposableStack();
    const endpoint = await startEndpoint();
    parts.defer(() => endpoint.stop());
    const nats = parts.use(await Nats.start(program));
    const model = { provider: "openai", model: "bench", baseUrl: urlOf(endpoint, "there") };
    const file = { participants: [{ name: "writer", instructions: INSTRUCTIONS }], models: { model } };
    parts.use(await WorkerProcess.start({ link: nats.url(), name: "bench", file }));
    const host = parts.use(await HostClient.start({ link: nats.url(), unchecked: true }));
    const here = benchTeam({ baseUrl: urlOf(endpoint, "here"), model: "bench" });
    const there: TeamDefinition = {
      ...here,
      participants: [{ name: "writer", on: { worker: "bench" }, context: { kind: "buffered", size: 1 } }],
    };
    await host.send(TeamOpen, { teamId: "here", definition: here });
    await host.send(TeamOpen, { teamId: "there", definition: there });
    return new Setting(host, parts.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}

async function turnRow(program: string, howOften: HowOften): Promise<Row> {
  await using setting = await Setting.start(program, (endpoint, place) => endpoint.url(place, TURN_PIECES, 0));
  const taken: Record<Place, number[]> = { here: [], there: [] };
  for (let nth = -WARM_UP; nth < howOften(TURNS); nth++) {
    for (const teamId of PLACES) {
      const started = performance.now();
      await setting.host.send(TeamRun, { teamId, task: QUESTION });
      if (nth >= 0) taken[teamId].push(performance.now() - started);
    }
  }
  const [here, there] = [median(taken.here), median(taken.there)];
  return {
    figure: `a turn of ${TURN_PIECES} chunks from a model that takes no time`,
    aim: "",
    measured: `${times(there / here)}, ${ms(there)} over ${ms(here)}`,
  };
}

async function interruptRow(program: string, howOften: HowOften): Promise<Row> {
  const interval = 1000 / TOKENS_PER_SECOND;
  await using setting = await Setting.start(program, (endpoint, place) => endpoint.url(place, 1e9, interval));
  const { host, chunks } = setting;
  const taken: Record<Place, number[]> = { here: [], there: [] };
  for (let nth = -WARM_UP; nth < howOften(INTERRUPTS); nth++) {
    for (const teamId of PLACES) {
      chunks[teamId] = 0;
      const run = host.send(TeamRun, { teamId, task: QUESTION });
      do await pause(20 + Math.random() * interval);
      while (chunks[teamId] < 5);
      const started = performance.now();
      await host.send(TeamInterrupt, { teamId });
      if (nth >= 0) taken[teamId].push(performance.now() - started);
      await run;
    }
  }
  const [here, there] = [median(taken.here), median(taken.there)];
  const [slow, slower] = [percentile(taken.here, 99), percentile(taken.there, 99)];
  return {
    figure: `an interrupt at ${TOKENS_PER_SECOND} tokens a second, to the receipt; its 99th percentile`,
    aim: "",
    measured: `${times(there / here)}, ${ms(there)} over ${ms(here)}; ${ms(slower)} over ${ms(slow)}`,
  };
}
