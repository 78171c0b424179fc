import { bareLoop, engineContender, wholeLineup } from "../contenders/lineup.ts";
import { runRace } from "../contenders/race.ts";
import { ms, times } from "../statistics.ts";
import type { Bench, Row } from "./row.ts";
import { absentRow } from "./turn.ts";

const BRANCHES = 100;

/** A graph that forks into many branches and joins them. Of the peers only LangGraph runs agents as nodes of a graph. */
export const branches: Bench = {
  name: "branches",
  title: `A graph of ${BRANCHES} parallel branches and their join, over as many calls at once with Promise.all`,
  async run(howOften) {
    const { present, absent } = await wholeLineup(["langgraph"]);
    const raced = await runRace({
      lineup: present,
      tasks: [{ kind: "branches", agents: BRANCHES }],
      warmUp: howOften(3),
      rounds: howOften(10),
      times: 1,
    });
    const bare = raced.bare.ms[0] ?? Number.NaN;
    const rows = raced.finishes.map(({ label, ratios, ms: taken }): Row => {
      const beside =
        label === engineContender.label ? `, ${ms(taken[0] ?? Number.NaN)} over ${ms(bare)} for ${bareLoop.label}` : "";
      return { figure: label, aim: aimOf(label), measured: `${times(ratios[0] ?? Number.NaN)}${beside}` };
    });
    return [...rows, ...[...absent, ...raced.absent].map(({ label, why }) => absentRow(label, aimOf(label), why))];
  },
};

const aimOf = (label: string): string => (label === engineContender.label ? "below every peer" : "");
