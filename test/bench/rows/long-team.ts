import { createTeam, FunctionParticipant, type Team } from "../../../server/engine/index.ts";
import { median, times } from "../statistics.ts";
import type { Bench, Row } from "./row.ts";

const LAST = 10_000;
/** Turns on either side of the one that is asked about. */
const AROUND = 50;
const ROUNDS = 5;

/** What a turn costs late in a team's life, over one early in it. */
export const longTeam: Bench = {
  name: "long-team",
  async run() {
    await turnsOf(LAST);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const turns = await turnsOf(LAST + AROUND);
      ratios.push(around(turns, LAST) / around(turns, 100));
    }
    const row: Row = {
      figure: "turn 10,000 over turn 100, in memory",
      aim: "1.2",
      measured: times(median(ratios)),
    };
    return [row];
  },
};

const around = (turns: readonly number[], at: number): number => median(turns.slice(at - AROUND, at + AROUND));

/** Milliseconds of each turn of a team that talks on. */
async function turnsOf(count: number): Promise<number[]> {
  const team = talkers(count);
  const ends: number[] = [performance.now()];
  team.onEvent(({ type }) => {
    if (type === "reasoning/conclusion") ends.push(performance.now());
  });
  await team.run("Talk.");
  return ends.slice(1).map((end, at) => end - (ends[at] ?? end));
}

/** Two who stream forty words each time, and are shown the last ten messages. */
export function talkers(maxTurns: number): Team {
  const words = Array.from({ length: 40 }, (_, at) => ` word${at}`);
  const speak = async function* (): AsyncGenerator<string> {
    yield* words;
  };
  return createTeam({
    teamId: "talkers",
    definition: {
      name: "talkers",
      kind: "roundRobin",
      participants: ["anna", "ben"].map((name) => ({ name, context: { kind: "buffered", size: 10 } })),
      maxTurns,
    },
    parts: {
      model: () => {
        throw new Error("These participants have no model.");
      },
      tool: () => undefined,
      participant: ({ name }) => new FunctionParticipant(name, speak),
    },
  });
}
