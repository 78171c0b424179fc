import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { TeamEventNotification } from "../../../shared/contract/client-requests.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { TeamInterrupt, TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import { type JoinedHost, joinHost } from "../../../socket/join-host.ts";
import { serveHost } from "../../../socket/serve-host.ts";
import { stopHost } from "../../../socket/stop-host.ts";
import { SERVER } from "../../host-client.ts";
import { benchTeam } from "../contenders/bench-team.ts";
import { QUESTION } from "../contenders/contender.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { type BenchEndpoint, startEndpoint } from "../endpoint/endpoint.ts";
import { median, ms, slashed, times } from "../statistics.ts";
import { TOKENS_PER_SECOND } from "./loads.ts";
import type { Bench, HowOften, Row } from "./row.ts";

const INTERVAL_MS = 1000 / TOKENS_PER_SECOND;
const INTERRUPTS = 120;
const WARM_UP = 8;
const COUNTS = [1, 8, 32];
const RUNS = 15;
/** Chunks of each run, as fast as the endpoint sends them. */
const CHUNKS = 2_000;

/** What further clients of a host cost: an interrupt of one that did not start the run, and events to many. */
export const severalClients: Bench = {
  name: "several-clients",
  title: "Several clients of one host, joined by its socket",
  async run(howOften) {
    if (!isHostBuilt())
      return [{ figure: "several clients", aim: "", measured: "not measured: run npm run build first" }];
    return [await interruptRow(howOften), await eventsRow(howOften)];
  },
};

/** A host without a parent in a folder of its own, and a model's endpoint. */
class Setting implements AsyncDisposable {
  readonly endpoint: BenchEndpoint;
  readonly #folder: string;

  private constructor(endpoint: BenchEndpoint, folder: string) {
    this.endpoint = endpoint;
    this.#folder = folder;
  }

  static async start(): Promise<Setting> {
    const storagePath = await mkdtemp(join(tmpdir(), "gavel-bench-"));
    await serveHost({ serverModule: SERVER, options: { storagePath }, env: process.env });
    return new Setting(await startEndpoint(), storagePath);
  }

  async join(): Promise<JoinedHost> {
    const host = await joinHost(this.#folder);
    if (host === undefined) throw new Error("The host has ended.");
    return host;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stopHost(this.#folder);
    await this.endpoint.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function clientOf({ stream }: JoinedHost): Promise<MessageConnection> {
  const client = createMessageConnection(new StreamMessageReader(stream), new StreamMessageWriter(stream));
  client.onUnhandledNotification(() => undefined);
  client.onError(() => undefined);
  client.listen();
  await client.sendRequest("initialize", { processId: null, capabilities: {}, initializationOptions: {} });
  await client.sendNotification("initialized", {});
  return client;
}

/** The client that runs the team and another one interrupt it in turn. */
async function interruptRow(howOften: HowOften): Promise<Row> {
  await using setting = await Setting.start();
  const [first, second] = [await clientOf(await setting.join()), await clientOf(await setting.join())];
  let chunks = 0;
  first.onNotification(TeamEventNotification.method, ({ event }: { event: TeamEvent }) => {
    if (event.type === "message/chunk") chunks++;
  });
  const teamId = "t";
  const baseUrl = setting.endpoint.url(teamId, 1e9, INTERVAL_MS);
  await first.sendRequest(TeamOpen.method, { teamId, definition: benchTeam({ baseUrl, model: "bench" }) });
  await second.sendRequest(TeamOpen.method, { teamId });
  let run = first.sendRequest(TeamRun.method, { teamId, task: QUESTION });
  const taken: Record<"own" | "other", number[]> = { own: [], other: [] };
  for (let at = -WARM_UP; at < howOften(INTERRUPTS) * 2; at++) {
    do await pause(20 + Math.random() * INTERVAL_MS);
    while (chunks < 5);
    const [whose, client] = at % 2 === 0 ? (["own", first] as const) : (["other", second] as const);
    const started = performance.now();
    await client.sendRequest(TeamInterrupt.method, { teamId });
    if (at >= 0) taken[whose].push(performance.now() - started);
    await run;
    chunks = 0;
    run = first.sendRequest(TeamRun.method, { teamId });
  }
  await first.sendRequest(TeamInterrupt.method, { teamId });
  const [own, other] = [median(taken.own), median(taken.other)];
  return {
    figure: "interrupt of a second client over one of the client that runs the team, to the receipt",
    aim: "1.2 times",
    measured: `${times(other / own)}, ${ms(other)} over ${ms(own)}`,
  };
}

/** From the start of a run until every client that reads has been told that it ended; one of several never reads. */
async function eventsRow(howOften: HowOften): Promise<Row> {
  const all: number[] = [];
  for (const count of COUNTS) {
    await using setting = await Setting.start();
    const baseUrl = setting.endpoint.url("t", CHUNKS, 0);
    const runner = await clientOf(await setting.join());
    await runner.sendRequest(TeamOpen.method, { teamId: "t", definition: benchTeam({ baseUrl, model: "bench" }) });
    const readers: Reader[] = [];
    for (let nth = 0; nth < count; nth++) readers.push(await Reader.open(await setting.join()));
    if (count > 1) readers.pop()?.stall();
    const taken: number[] = [];
    for (let nth = -2; nth < howOften(RUNS); nth++) {
      const ended = Promise.all(readers.map((reader) => reader.runEnded()));
      const started = performance.now();
      void runner.sendRequest(TeamRun.method, { teamId: "t", task: QUESTION });
      await ended;
      if (nth >= 0) taken.push(performance.now() - started);
    }
    all.push(median(taken));
  }
  const [one = Number.NaN] = all;
  const over = all.slice(1).map((taken) => (taken / one).toFixed(2));
  return {
    figure: `a run of ${CHUNKS} chunks, until all of ${COUNTS.join(" / ")} clients were told its end; one of 8 and of 32 does not read`,
    aim: "",
    measured: `${slashed(all, "ms")}: ${over.join(" and ")} times the one`,
  };
}

/** A client that only reads, and costs this process as little as possible. */
class Reader {
  readonly #host: JoinedHost;
  #waiting: (() => void)[] = [];

  private constructor(host: JoinedHost) {
    this.#host = host;
  }

  static async open(host: JoinedHost): Promise<Reader> {
    const client = await clientOf(host);
    await client.sendRequest(TeamOpen.method, { teamId: "t" });
    // From here on its bytes are looked at, and not parsed.
    const { stream } = host;
    stream.removeAllListeners("data");
    const reader = new Reader(host);
    let tail = "";
    stream.on("data", (chunk: Buffer) => {
      const text = tail + chunk.toString("latin1");
      tail = text.slice(-20);
      if (!text.includes('"type":"run/ended"')) return;
      tail = "";
      for (const resolve of reader.#waiting.splice(0)) resolve();
    });
    return reader;
  }

  /** It reads nothing any more. */
  stall(): void {
    this.#host.stream.pause();
  }

  runEnded(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
