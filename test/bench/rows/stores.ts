import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TeamOpen, TeamRename, TeamRun } from "../../../shared/contract/requests.ts";
import { HostClient } from "../../host-client.ts";
import { Postgres } from "../../servers/postgres.ts";
import { benchTeam } from "../contenders/bench-team.ts";
import { QUESTION } from "../contenders/contender.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { startEndpoint } from "../endpoint/endpoint.ts";
import { median, percentile, slashed } from "../statistics.ts";
import { LOADS, TOKENS_PER_SECOND } from "./loads.ts";
import type { Bench, HowOften, Row } from "./row.ts";

const APPENDS = 400;
const WARM_UP = 20;
const TAKEOVERS = 5;
/** In seconds. */
const LEASE = 3;

/** A store on PostgreSQL on this machine, beside the one in a folder. */
export const stores: Bench = {
  name: "stores",
  title: "A store on PostgreSQL on this machine, over the one in a folder",
  async run(howOften) {
    if (!isHostBuilt()) return [{ figure: "stores", aim: "", measured: "not measured: run npm run build first" }];
    await using postgres = await Postgres.start();
    return [...(await appendRows(postgres.url, howOften)), await takeoverRow(postgres.url, howOften)];
  },
};

/** From a request that records one event to its answer, which comes when the event is stored: of many teams at once. */
async function appendRows(url: string, howOften: HowOften): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-bench-"));
  try {
    await using inFolder = await HostClient.start({ storagePath: folder, unchecked: true });
    await using onServer = await HostClient.start({ store: `${url}?space=appends`, unchecked: true });
    const middle: Record<"folder" | "server", number[]> = { folder: [], server: [] };
    const slow: Record<"folder" | "server", number[]> = { folder: [], server: [] };
    for (const count of LOADS) {
      for (const [which, host] of [
        ["folder", inFolder],
        ["server", onServer],
      ] as const) {
        const taken = await appends(host, count, howOften(APPENDS));
        middle[which].push(median(taken));
        slow[which].push(percentile(taken, 99));
      }
    }
    const row = (figure: string, figures: typeof middle): Row => ({
      figure,
      aim: "",
      measured: `${slashed(figures.server, "ms")} over ${slashed(figures.folder, "ms")}`,
    });
    const of = `an event until it is stored, with ${LOADS.join(" / ")} teams at once`;
    return [row(`${of}: median`, middle), row(`${of}: 99th percentile`, slow)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function appends(host: HostClient, count: number, each: number): Promise<number[]> {
  const at = { baseUrl: "http://127.0.0.1:1/v1", model: "bench" };
  const teams = Array.from({ length: count }, (_, nth) => `${count}-${nth}`);
  for (const teamId of teams) await host.send(TeamOpen, { teamId, definition: benchTeam(at) });
  const taken: number[] = [];
  const rename = async (teamId: string): Promise<void> => {
    for (let nth = -WARM_UP; nth < each; nth++) {
      const started = performance.now();
      await host.send(TeamRename, { teamId, title: `title ${nth}` });
      if (nth >= 0) taken.push(performance.now() - started);
    }
  };
  await Promise.all(teams.map(rename));
  return taken;
}

/** From the kill of a host in a run until the client of another host has been told that the run has ended. */
async function takeoverRow(url: string, howOften: HowOften): Promise<Row> {
  const endpoint = await startEndpoint();
  const taken: number[] = [];
  for (let nth = 0; nth < howOften(TAKEOVERS); nth++) {
    const store = `${url}?space=takeover${nth}&lease=${LEASE}`;
    await using one = await HostClient.start({ store });
    await using two = await HostClient.start({ store });
    const baseUrl = endpoint.url(`takeover${nth}`, 1e9, 1000 / TOKENS_PER_SECOND);
    await one.send(TeamOpen, { teamId: "t", definition: benchTeam({ baseUrl, model: "bench" }) });
    await two.send(TeamOpen, { teamId: "t" });
    one.send(TeamRun, { teamId: "t", task: QUESTION }).catch(() => {});
    await one.streamed("t", 20);
    const started = performance.now();
    await one.kill();
    await two.event("t", ({ type }) => type === "run/ended");
    taken.push(performance.now() - started);
  }
  await endpoint.stop();
  const over = (figure: number): string => (figure / (LEASE * 1000)).toFixed(2);
  return {
    figure: `a killed host's run is taken over, over the lease of ${LEASE} s: median; longest`,
    aim: "1.5 times",
    measured: `${over(median(taken))}; ${over(Math.max(...taken))} times`,
  };
}
