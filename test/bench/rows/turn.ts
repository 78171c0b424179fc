import { type Absent, bareLoop, engineContender, hostContender, wholeLineup } from "../contenders/lineup.ts";
import { type RaceResult, runRace } from "../contenders/race.ts";
import { TURN_PIECES } from "../endpoint/script.ts";
import { ms, times } from "../statistics.ts";
import type { Bench, Row } from "./row.ts";

/** The time of a turn, over a bare loop's in the same round. */
export const turn: Bench = {
  name: "turn",
  title: `The time of a turn of ${TURN_PIECES} chunks from a model that takes no time, over that of ${bareLoop.label} in the same round`,
  async run(howOften) {
    const { present, absent } = await wholeLineup();
    const raced = await runRace({
      lineup: present,
      tasks: [{ kind: "turn", agents: 1 }],
      warmUp: howOften(100),
      rounds: howOften(40),
      times: 5,
    });
    return rowsOf(raced.finishes, raced.bare, [...absent, ...raced.absent]);
  },
};

function rowsOf(finishes: readonly RaceResult[], bare: RaceResult, absent: readonly Absent[]): Row[] {
  const rows = finishes.map(({ label, ratios, ms: taken }): Row => {
    const beside =
      label === engineContender.label ? `, ${ms(taken[0] ?? Number.NaN)} over ${ms(bare.ms[0] ?? Number.NaN)}` : "";
    return { figure: figureOf(label), aim: aimOf(label), measured: `${times(ratios[0] ?? Number.NaN)}${beside}` };
  });
  return [...rows, ...absent.map(({ label, why }) => absentRow(figureOf(label), aimOf(label), why))];
}

/** The row of a contender that could not take part. */
export const absentRow = (figure: string, aim: string, why: string): Row => ({
  figure,
  aim,
  measured: `not measured: ${why}`,
});

const figureOf = (label: string): string => `one agent: ${label}`;

function aimOf(label: string): string {
  if (label === engineContender.label) return "1.3, and below every peer";
  return label === hostContender.label ? "1.5, and below every peer" : "";
}
