import type { ServerResponse } from "node:http";
import { delta, finished, rawEndpoint, sendStream, startStream } from "../../../server/models/testing/raw-endpoint.ts";
import { isDurable } from "../../../shared/contract/event.ts";
import { TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import type { HostClient, HostOptions } from "../../host-client.ts";
import { benchTeam } from "../contenders/bench-team.ts";
import { QUESTION } from "../contenders/contender.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { piece } from "../endpoint/script.ts";
import { HostsSetting } from "../hosts-setting.ts";
import { LIVE_MEMORY, liveBytes, peakBytes } from "../process-figures.ts";
import { times } from "../statistics.ts";
import type { Bench, HowOften, Row } from "./row.ts";
import { absentRow } from "./turn.ts";

/** Turns of one run, each with six stored events. */
const TURNS = 340;
/** What each of them thinks, which is told and is not part of the state, and says, in characters: 80 MB in all. */
const THOUGHT = "I think. ".repeat(20_000);
const TEXT = "I say so. ".repeat(6_000);
/** What the last turn says, as chunks: so many at a time, as those that come before the turn is stored are told as one. */
const CHUNKS = 20_000;
const AT_ONCE = 4;
const CHUNK_MS = 1;

const TITLE = "Memory of a host whose run is followed by another host";
const AIM = "1.5 times";

type Stall = "none" | "client" | "host";

const FIGURES: Readonly<Record<Exclude<Stall, "none">, string>> = {
  client: "a client of the other host does not read",
  host: "the other host is stopped (SIGSTOP)",
};

/** The memory of a host that runs a team, while what follows the team in another host of the link stalls. */
export const stalledHost: Bench = {
  name: "hosts",
  title: TITLE,
  async run(howOften) {
    const why =
      process.platform !== "linux"
        ? "memory is read from /proc"
        : isHostBuilt()
          ? undefined
          : "run npm run build first";
    if (why !== undefined) return Object.values(FIGURES).map((figure) => absentRow(figure, AIM, why));
    const reading = await measure(howOften, "none");
    return [
      rowOf(FIGURES.client, await measure(howOften, "client"), reading),
      rowOf(FIGURES.host, await measure(howOften, "host"), reading),
    ];
  },
};

const MEASURED: HostOptions = { preload: LIVE_MEMORY, stderr: "pipe" };

/** When the run has ended, and what stalls does so still. */
interface Memory {
  /** Of the host that runs the team: what it has after garbage collection, and the most that it has had. */
  readonly live: number;
  readonly peak: number;
  /** Of the host that follows the team; it is not known of one that is stopped. */
  readonly liveThere: number;
  /** What the client of the former was told. */
  readonly chunks: number;
  readonly stored: number;
}

async function measure(howOften: HowOften, stall: Stall): Promise<Memory> {
  const turns = howOften(TURNS);
  await using setting = await HostsSetting.start();
  const [owner, follower] = [await setting.host(MEASURED), await setting.host(MEASURED)];
  const [own, followed] = [new Told(owner), new Told(follower)];
  const answer = async (response: ServerResponse, count: number): Promise<void> => {
    // What waits to be stored takes memory too, and is not what is measured.
    await own.messages(count);
    if (count < turns) sendStream(response, delta({ reasoning_content: THOUGHT }), delta({ content: TEXT }), finished);
    else sendChunks(response, howOften(CHUNKS));
  };
  await using endpoint = await rawEndpoint((response, count) => void answer(response, count));
  const definition = { ...benchTeam({ baseUrl: endpoint.url, model: "bench" }), maxTurns: turns };
  await owner.send(TeamOpen, { teamId: "bench", definition });
  await follower.send(TeamOpen, { teamId: "bench" });
  const run = owner.send(TeamRun, { teamId: "bench", task: QUESTION });
  // Only what is followed can stall.
  await followed.messages(2);
  setStalled(follower, stall, true);
  await run;
  // One that reads is to have read all.
  if (stall === "none") await followed.ended;
  const peak = await peakBytes(owner.process.pid);
  const live = await liveBytes(owner);
  const liveThere = stall === "host" ? Number.NaN : await liveBytes(follower);
  setStalled(follower, stall, false);
  await followed.ended;
  return { live, peak, liveThere, chunks: own.chunks, stored: own.stored };
}

function sendChunks(response: ServerResponse, count: number): void {
  startStream(response);
  let sent = 0;
  const timer = setInterval(() => {
    const chunk = `data: ${JSON.stringify(delta({ content: piece(sent) }))}\n\n`;
    response.write(chunk.repeat(AT_ONCE));
    sent += AT_ONCE;
    if (sent < count) return;
    clearInterval(timer);
    response.end(`data: ${JSON.stringify(finished)}\n\ndata: [DONE]\n\n`);
  }, CHUNK_MS);
  response.on("close", () => clearInterval(timer));
}

function setStalled({ process: host }: HostClient, stall: Stall, isStalled: boolean): void {
  if (stall === "host") host.kill(isStalled ? "SIGSTOP" : "SIGCONT");
  if (stall === "client") host.stdout?.[isStalled ? "pause" : "resume"]();
}

/** What a client is told. */
class Told {
  chunks = 0;
  stored = 0;
  /** Resolves when it has been told that the run has ended. */
  readonly ended: Promise<void>;
  #messages = 0;
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined;

  constructor(client: HostClient) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    client.onEvent((_, event) => {
      if (isDurable(event)) this.stored++;
      else this.chunks++;
      if (event.type === "message/added") this.#messages++;
      if (this.#messages === this.#waiting?.count) this.#waiting.resolve();
      if (event.type === "run/ended") resolve();
    });
  }

  /** Resolves when it has been told so many messages: the task, and one for each turn. */
  async messages(count: number): Promise<void> {
    if (this.#messages >= count) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { count, resolve };
    await promise;
  }
}

function rowOf(figure: string, stalled: Memory, reading: Memory): Row {
  const over = (of: (memory: Memory) => number): string =>
    `${times(of(stalled) / of(reading))}, ${Math.round(of(stalled) / 1e6)} MB over ${Math.round(of(reading) / 1e6)} MB`;
  const there = Number.isNaN(stalled.liveThere) ? "" : `; the other host ${over(({ liveThere }) => liveThere)}`;
  const counts = `${stalled.chunks.toLocaleString("en")} chunks and ${stalled.stored.toLocaleString("en")} stored events`;
  return {
    figure: `${figure}, over one that reads: after ${counts} of 80 MB, once garbage is collected`,
    aim: AIM,
    measured: `${over(({ live }) => live)}; its peak ${over(({ peak }) => peak)}${there}`,
  };
}
