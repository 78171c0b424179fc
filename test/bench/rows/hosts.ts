import { setTimeout as pause } from "node:timers/promises";
import { natsProgram } from "../../../scripts/servers/nats-program.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { TeamInterrupt, TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import { HostClient } from "../../host-client.ts";
import { Nats } from "../../servers/nats.ts";
import { Postgres } from "../../servers/postgres.ts";
import { benchTeam } from "../contenders/bench-team.ts";
import { QUESTION } from "../contenders/contender.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { startEndpoint } from "../endpoint/endpoint.ts";
import { median, ms, percentile, times } from "../statistics.ts";
import { TOKENS_PER_SECOND } from "./loads.ts";
import type { Bench, HowOften, Row } from "./row.ts";

const TEAMS = 8;
const INTERRUPTS = 150;
const WARM_UP = 10;

type Place = "here" | "there";

/** What it costs that a team runs in another host, over the host of the client that interrupts it, in the same run. */
export const hosts: Bench = {
  name: "hosts",
  title: "An interrupt across hosts, over one in the host that runs the team: PostgreSQL and NATS on this machine",
  async run(howOften) {
    if (!isHostBuilt()) return [{ figure: "hosts", aim: "", measured: "not measured: run npm run build first" }];
    return interruptRows(howOften);
  },
};

/** A client, and when it was last told that an interrupt has taken effect. */
interface Interrupter {
  readonly client: HostClient;
  toldAt: number;
}

async function interruptRows(howOften: HowOften): Promise<Row[]> {
  await using parts = new AsyncDisposableStack();
  const endpoint = await startEndpoint();
  parts.defer(() => endpoint.stop());
  const nats = parts.use(await Nats.start(await natsProgram()));
  const postgres = parts.use(await Postgres.start());
  const start = async (): Promise<Interrupter> => {
    const interrupter = { toldAt: 0 };
    const onInterruptReceived = (): void => {
      interrupter.toldAt = performance.now();
    };
    const client = await HostClient.start({
      store: `${postgres.url}?lease=60`,
      link: nats.url(),
      unchecked: true,
      onInterruptReceived,
    });
    parts.use(client);
    return Object.assign(interrupter, { client });
  };
  const by: Record<Place, Interrupter> = { here: await start(), there: await start() };
  const chunks = new Map<string, number>();
  by.there.client.onEvent((teamId: string, event: TeamEvent) => {
    if (event.type === "message/chunk") chunks.set(teamId, (chunks.get(teamId) ?? 0) + 1);
  });
  by.here.client.onEvent(() => {});
  const interval = 1000 / TOKENS_PER_SECOND;
  const teamIds = Array.from({ length: TEAMS }, (_, nth) => `team${nth}`);
  const runs = new Map<string, Promise<unknown>>();
  const run = async (teamId: string): Promise<void> => {
    chunks.set(teamId, 0);
    runs.set(teamId, by.here.client.send(TeamRun, { teamId, task: QUESTION }));
    while ((chunks.get(teamId) ?? 0) < 5) await pause(5);
  };
  for (const teamId of teamIds) {
    const definition = benchTeam({ baseUrl: endpoint.url(teamId, 1e9, interval), model: "bench" });
    await by.here.client.send(TeamOpen, { teamId, definition });
    await by.there.client.send(TeamOpen, { teamId });
    await run(teamId);
  }
  const taken = { here: measures(), there: measures() };
  for (let nth = -WARM_UP; nth < howOften(INTERRUPTS); nth++) {
    for (const place of ["here", "there"] as const) {
      const teamId = teamIds[Math.floor(Math.random() * TEAMS)] ?? "";
      await pause(20 + Math.random() * interval);
      const interrupter = by[place];
      const started = performance.now();
      await interrupter.client.send(TeamInterrupt, { teamId });
      if (nth >= 0) {
        taken[place].receipt.push(performance.now() - started);
        taken[place].effect.push(interrupter.toldAt - started);
      }
      await runs.get(teamId);
      await run(teamId);
    }
  }
  await Promise.all(teamIds.map((teamId) => by.here.client.send(TeamInterrupt, { teamId })));
  await Promise.all(runs.values());
  const load = `with ${TEAMS} teams at ${TOKENS_PER_SECOND} tokens a second`;
  return [
    row(
      `until it has taken effect, ${load}; its 99th percentile`,
      taken.here.effect,
      taken.there.effect,
      "p99 ≤ 10 ms more",
    ),
    row(`until its receipt, after the commit, ${load}; its 99th percentile`, taken.here.receipt, taken.there.receipt),
  ];
}

const measures = (): { readonly effect: number[]; readonly receipt: number[] } => ({ effect: [], receipt: [] });

const row = (figure: string, here: readonly number[], there: readonly number[], aim = ""): Row => ({
  figure,
  aim,
  measured:
    `${times(median(there) / median(here))}, ${ms(median(there))} over ${ms(median(here))}; ` +
    `${ms(percentile(there, 99))} over ${ms(percentile(here, 99))}`,
});
