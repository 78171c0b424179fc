import { delta, finished, rawEndpoint, sendStream } from "../../../server/models/testing/raw-endpoint.ts";
import { TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import { startBenchHost } from "../bench-host.ts";
import { benchTeam } from "../contenders/bench-team.ts";
import { QUESTION } from "../contenders/contender.ts";
import { peakBytes } from "../process-figures.ts";
import { times } from "../statistics.ts";
import type { Bench } from "./row.ts";
import { absentRow } from "./turn.ts";

/** What a turn thinks, which is told and is not part of the state, in characters; and turns: 80 MB in all. */
const THOUGHT = "I think. ".repeat(40_000);
const TURNS = 220;

const FIGURE = "A client that does not read, over one that does: peak memory of the host after 80 MB of events";
const AIM = "1.5 times";

/** The memory of a host whose client does not read what it is told. */
export const stalledClient: Bench = {
  name: "stalled-client",
  title: "Memory of a host with a slow client",
  async run(howOften) {
    if (process.platform !== "linux") return [absentRow(FIGURE, AIM, "peak memory is read from /proc")];
    const reading = await peakOf(howOften(TURNS), true);
    const stalled = await peakOf(howOften(TURNS), false);
    const megabytes = `${Math.round(stalled / 1e6)} MB over ${Math.round(reading / 1e6)} MB`;
    return [{ figure: FIGURE, aim: AIM, measured: `${times(stalled / reading)}, ${megabytes}` }];
  },
};

/** The most memory that a host has had when the last of its turns begins. */
async function peakOf(turns: number, reads: boolean): Promise<number> {
  const last = Promise.withResolvers<void>();
  let asked = 0;
  await using endpoint = await rawEndpoint((response) => {
    if (++asked === turns) last.resolve();
    sendStream(response, delta({ reasoning_content: THOUGHT }), delta({ content: "So." }), finished);
  });
  const { client, stop } = await startBenchHost();
  const definition = { ...benchTeam({ baseUrl: endpoint.url, model: "bench" }), maxTurns: turns };
  await client.send(TeamOpen, { teamId: "bench", definition });
  client.onEvent(() => {});
  const run = client.send(TeamRun, { teamId: "bench", task: QUESTION });
  if (!reads) client.process.stdout?.pause();
  await last.promise;
  const peak = await peakBytes(client.process.pid);
  client.process.stdout?.resume();
  await run;
  await stop();
  return peak;
}
