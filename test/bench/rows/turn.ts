import { type Absent, bareLoop, engineContender, hostContender, wholeLineup } from "../contenders/lineup.ts";
import { type RaceResult, runRace } from "../contenders/race.ts";
import { TURN_PIECES } from "../endpoint/script.ts";
import { median, ms, times } from "../statistics.ts";
import type { Bench, Row } from "./row.ts";

/** Races in processes of their own: where these are run and placed in memory differs more than the rounds of one race. */
const RACES = 5;

/** The time of a turn, over a bare loop's in the same round. */
export const turn: Bench = {
  name: "turn",
  title: `The time of a turn of ${TURN_PIECES} chunks from a model that takes no time, over that of ${bareLoop.label} in the same round`,
  async run(howOften) {
    const { present, absent } = await wholeLineup();
    const races: Awaited<ReturnType<typeof runRace>>[] = [];
    for (let race = 0; race < howOften(RACES); race++) {
      races.push(
        await runRace({
          lineup: present,
          tasks: [{ kind: "turn", agents: 1 }],
          warmUp: howOften(100),
          rounds: howOften(40),
          times: 5,
        }),
      );
    }
    const finishes = present.flatMap(({ label }) =>
      medianOf(
        races.flatMap((race) => race.finishes),
        label,
      ),
    );
    const [bare] = medianOf(
      races.map((race) => race.bare),
      bareLoop.label,
    );
    if (bare === undefined) throw new Error("No race has a bare loop.");
    const isPresent = (label: string): boolean => finishes.some((finish) => finish.label === label);
    const failed = races.flatMap((race) => race.absent).filter(({ label }) => !isPresent(label));
    return rowsOf(finishes, bare, [...absent, ...failed]);
  },
};

/** The median of a contender's races; nothing if it finished none. */
function medianOf(results: readonly RaceResult[], label: string): readonly RaceResult[] {
  const own = results.filter((result) => result.label === label);
  if (own.length === 0) return [];
  const figure = (of: (result: RaceResult) => readonly number[]): readonly number[] => [
    median(own.map((result) => of(result)[0] ?? Number.NaN)),
  ];
  return [{ label, ms: figure(({ ms }) => ms), ratios: figure(({ ratios }) => ratios) }];
}

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
