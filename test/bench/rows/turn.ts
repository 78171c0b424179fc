import {
  type Absent,
  bareLoop,
  type ContenderModule,
  engine,
  host,
  isHostBuilt,
  peerLineup,
} from "../contenders/lineup.ts";
import { RunningContender } from "../contenders/running.ts";
import { type Endpoint, startEndpoint } from "../endpoint/endpoint.ts";
import { TURN_PIECES } from "../endpoint/script.ts";
import { median, ms, times } from "../statistics.ts";
import type { Bench, Row } from "./row.ts";

const WARM_UP = 100;
const ROUNDS = 40;
const TURNS = 5;

/** The time of a turn, over a bare loop's in the same round; everyone has a turn in every round. */
export const turn: Bench = {
  name: "turn",
  async run() {
    const endpoint = await startEndpoint();
    const { present, absent } = await peerLineup();
    const missing = [...absent, ...(isHostBuilt() ? [] : [{ label: host.label, why: "run npm run build first" }])];
    const wanted = [bareLoop, engine, ...(isHostBuilt() ? [host] : []), ...present];
    const running = await startAll(wanted, endpoint, missing);
    try {
      return [...rowsOf(await rounds(running)), ...missing.map(absentRow)];
    } finally {
      for (const contender of running) await contender.stop();
      await endpoint.stop();
    }
  },
};

/** Those that ran through the warm-up; what kept another from it goes to `absent`. */
async function startAll(
  wanted: readonly ContenderModule[],
  endpoint: Endpoint,
  absent: Absent[],
): Promise<RunningContender[]> {
  const running: RunningContender[] = [];
  for (const contender of wanted) {
    try {
      const started = await RunningContender.start(contender, endpoint, { pieces: TURN_PIECES, intervalMs: 0 });
      await started.turns(WARM_UP);
      running.push(started);
    } catch (error) {
      absent.push({ label: contender.label, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return running;
}

async function rounds(running: readonly RunningContender[]): Promise<Map<string, number[]>> {
  const taken = new Map<string, number[]>(running.map(({ label }) => [label, []]));
  for (let round = 0; round < ROUNDS; round++) {
    // Whoever begins a round has the caches cold: it is another one each time.
    const first = round % running.length;
    for (const contender of [...running.slice(first), ...running.slice(0, first)]) {
      taken.get(contender.label)?.push(await contender.turns(TURNS));
    }
  }
  return taken;
}

function rowsOf(taken: ReadonlyMap<string, readonly number[]>): Row[] {
  const bare = taken.get(bareLoop.label) ?? [];
  const rows: Row[] = [];
  for (const [label, values] of taken) {
    if (label === bareLoop.label) continue;
    const ratio = median(values.map((value, round) => value / (bare[round] ?? Number.NaN)));
    const beside = label === engine.label ? `, ${ms(median(values))} over ${ms(median(bare))}` : "";
    rows.push({ figure: figureOf(label), aim: aimOf(label), measured: `${times(ratio)}${beside}` });
  }
  return rows;
}

const figureOf = (label: string): string => `turn of ${TURN_PIECES} chunks over ${bareLoop.label}: ${label}`;

function aimOf(label: string): string {
  if (label === engine.label) return "1.3, and below every peer";
  return label === host.label ? "2" : "";
}

const absentRow = ({ label, why }: Absent): Row => ({
  figure: figureOf(label),
  aim: aimOf(label),
  measured: `not measured: ${why}`,
});
