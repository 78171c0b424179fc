import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { HostClient } from "../host-client.ts";
import { talkers } from "../keepers/engine.ts";
import { SPEAKERS } from "../keepers/keeper.ts";
import { median, times } from "../statistics.ts";
import type { Bench, Row } from "./row.ts";
import { absentRow } from "./turn.ts";

const LAST = 10_000;
const EARLY = 100;
/** Turns on either side of the one that is asked about. */
const AROUND = 50;
const ROUNDS = 3;

/** What is measured of a team as it gets old. */
export const AN_OLD_TEAM = "A team that gets old";

/** What a turn costs late in a team's life, over one early in it. */
export const longTeam: Bench = {
  name: "long-team",
  title: AN_OLD_TEAM,
  async run(howOften) {
    const rounds = howOften(ROUNDS);
    const figure = `turn ${LAST.toLocaleString("en")} over turn ${EARLY}`;
    // Code that is compiled on the way would make the early turns look dear.
    await turnsInMemory(LAST);
    const inMemory = await ratioOf(rounds, turnsInMemory);
    const rows: Row[] = [{ figure: `${figure}, engine in memory`, aim: "1.2", measured: times(inMemory) }];
    const stored = `${figure}, through the host: store, memory and events included`;
    if (!isHostBuilt()) return [...rows, absentRow(stored, "1.2", "run npm run build first")];
    return [...rows, { figure: stored, aim: "1.2", measured: times(await ratioOf(rounds, turnsThroughHost)) }];
  },
};

/** The median of so many teams' ratios. */
async function ratioOf(rounds: number, turnsOf: (count: number) => Promise<readonly number[]>): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ends = await turnsOf(LAST + AROUND);
    ratios.push(around(ends, LAST) / around(ends, EARLY));
  }
  return median(ratios);
}

/** Milliseconds of all the turns around one: a client hears of several at once, so that one by one they say nothing. */
const around = (ends: readonly number[], at: number): number =>
  (ends[at + AROUND - 1] ?? Number.NaN) - (ends[at - AROUND] ?? Number.NaN);

/** When each turn ended of a team that talks on. */
async function turnsInMemory(count: number): Promise<number[]> {
  const team = talkers(count);
  const ends: number[] = [];
  team.onEvent(({ type }) => {
    if (type === "reasoning/conclusion") ends.push(performance.now());
  });
  await team.run("Talk.");
  return ends;
}

/** The same of a host's, as its client sees it. The host has worked through a team before, for the sake of its compiled code. */
async function turnsThroughHost(count: number): Promise<number[]> {
  const client = await HostClient.start();
  try {
    let ends: number[] = [];
    client.onEvent((_, { type }) => {
      if (type === "reasoning/conclusion") ends.push(performance.now());
    });
    for (const turns of [1_000, count]) {
      ends = [];
      await client.open(`talk${turns}`, practiceTeam(turns));
      await client.run(`talk${turns}`, "Talk.");
    }
    return ends;
  } finally {
    await client.stop();
  }
}

/** Two who play a line at each turn without a pause, and are shown the last ten messages. */
export function practiceTeam(maxTurns: number): TeamDefinition {
  return {
    name: "talk",
    kind: "roundRobin",
    participants: SPEAKERS.map((name) => ({ name, context: { kind: "buffered", size: 10 } })),
    models: { default: { provider: "practice", pace: 0 } },
    maxTurns,
  };
}
