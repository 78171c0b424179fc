import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import { startBenchHost } from "../bench-host.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { streamingTeam } from "../savers/engine.ts";
import { SPEAKERS } from "../savers/saver.ts";
import { median, times } from "../statistics.ts";
import type { Bench, Row } from "./row.ts";
import { absentRow } from "./turn.ts";

const LAST = 10_000;
const EARLY = 100;
/** Turns on each side of the measured one. The late ones are more: a single pause for memory would count too much. */
const AROUND = { [EARLY]: 50, [LAST]: 500 } as const;
const ROUNDS = 3;

/** The title of the table of a long-lived team. */
export const AN_OLD_TEAM = "A team that gets old";

/** The cost of a late turn of a long-lived team, over that of an early one. */
export const longTeam: Bench = {
  name: "long-team",
  title: AN_OLD_TEAM,
  async run(howOften) {
    const rounds = howOften(ROUNDS);
    const figure = `turn ${LAST.toLocaleString("en")} over turn ${EARLY}`;
    // Without a warm-up, code that is not compiled yet would make the early turns look expensive.
    await turnsInMemory(LAST);
    const inMemory = await ratioOf(rounds, turnsInMemory);
    const rows: Row[] = [{ figure: `${figure}, engine in memory`, aim: "1.2", measured: times(inMemory) }];
    const stored = `${figure}, through the host: store, memory and events included`;
    if (!isHostBuilt()) return [...rows, absentRow(stored, "1.2", "run npm run build first")];
    return [...rows, { figure: stored, aim: "1.2", measured: times(await ratioOf(rounds, turnsThroughHost)) }];
  },
};

/** The median of several teams' ratios. */
async function ratioOf(rounds: number, turnsOf: (count: number) => Promise<readonly number[]>): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ends = await turnsOf(LAST + AROUND[LAST]);
    ratios.push(around(ends, LAST) / around(ends, EARLY));
  }
  return median(ratios);
}

/** Milliseconds of each of the turns around one: a client receives several at once, so single turns cannot be timed. */
function around(ends: readonly number[], at: typeof EARLY | typeof LAST): number {
  const [first, last] = [at - AROUND[at], at + AROUND[at] - 1];
  return ((ends[last] ?? Number.NaN) - (ends[first] ?? Number.NaN)) / (last - first);
}

/** The times at which the turns of one long run ended. */
async function turnsInMemory(count: number): Promise<number[]> {
  const team = streamingTeam(count);
  const ends: number[] = [];
  team.onEvent(({ type }) => {
    if (type === "reasoning/conclusion") ends.push(performance.now());
  });
  await team.run("Talk.");
  return ends;
}

/** The same through a host, as its client sees it, after a warm-up with another team. */
async function turnsThroughHost(count: number): Promise<number[]> {
  const { client, stop } = await startBenchHost();
  try {
    let ends: number[] = [];
    client.onEvent((_, { type }) => {
      if (type === "reasoning/conclusion") ends.push(performance.now());
    });
    for (const turns of [1_000, count]) {
      ends = [];
      await client.send(TeamOpen, { teamId: `talk${turns}`, definition: practiceTeam(turns) });
      await client.send(TeamRun, { teamId: `talk${turns}`, task: "Talk." });
    }
    return ends;
  } finally {
    await stop();
  }
}

/** Two practice participants that speak without pauses and are shown the last ten messages. */
export function practiceTeam(maxTurns: number): TeamDefinition {
  return {
    name: "talk",
    kind: "roundRobin",
    participants: SPEAKERS.map((name) => ({ name, context: { kind: "buffered", size: 10 } })),
    models: { default: { provider: "practice", pace: 0 } },
    maxTurns,
  };
}
