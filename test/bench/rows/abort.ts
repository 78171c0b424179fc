import { messageOf } from "../../../shared/contract/errors.ts";
import { bareLoop, engineContender, peerLineup } from "../contenders/lineup.ts";
import { RunningContender } from "../contenders/running-contender.ts";
import { startEndpoint } from "../endpoint/endpoint.ts";
import { median, ms, percentile, slashed } from "../statistics.ts";
import { LOADS, TOKENS_PER_SECOND } from "./loads.ts";
import type { Bench, HowOften, Row } from "./row.ts";
import { absentRow } from "./turn.ts";

const INTERVAL_MS = 1000 / TOKENS_PER_SECOND;
const WARM_UP = 10;
const SAMPLES = 100;
/** Time limit for one load, in milliseconds: a contender that cannot keep up with its streams takes long for each abort. */
const PATIENCE_MS = 10_000;

/** A contender's aborts under one load; times in milliseconds. */
interface Aborts {
  readonly over: number[];
  readonly closed: number[];
  kept: boolean;
}

/** From the abort of one of several streams to the end of its turn, and whether the streamed text was kept. */
export const abort: Bench = {
  name: "abort",
  title: `From an abort to the end of the turn in process, while ${LOADS.join(" / ")} turns stream ${TOKENS_PER_SECOND} tokens/s each`,
  async run(howOften) {
    const { present, absent } = await peerLineup();
    const rows: Row[] = [];
    let bare: readonly Aborts[] = [];
    for (const contender of [bareLoop, engineContender, ...present]) {
      try {
        const aborts = await abortsOf(contender, howOften);
        if (contender === bareLoop) bare = aborts;
        rows.push(rowOf(contender.label, aborts, bare));
      } catch (error) {
        rows.push(absentRow(contender.label, aimOf(contender.label), messageOf(error)));
      }
    }
    // The engine comes first, and the loop that it is compared with last.
    const [floor, ...others] = rows;
    return [
      ...others,
      ...absent.map(({ label, why }) => absentRow(label, "", why)),
      ...(floor === undefined ? [] : [floor]),
    ];
  },
};

async function abortsOf(
  contender: Parameters<typeof RunningContender.start>[0],
  howOften: HowOften,
): Promise<Aborts[]> {
  const endpoint = await startEndpoint();
  const running = await RunningContender.start(contender, endpoint, { pieces: 1e9, intervalMs: INTERVAL_MS });
  try {
    const all: Aborts[] = [];
    for (const load of LOADS) {
      await running.stream(load);
      all.push(await sample(running, howOften(SAMPLES)));
    }
    return all;
  } finally {
    await running.stop();
    await endpoint.stop();
  }
}

async function sample(running: RunningContender, count: number): Promise<Aborts> {
  const aborts: Aborts = { over: [], closed: [], kept: true };
  const until = performance.now() + PATIENCE_MS;
  for (let at = -WARM_UP; at < count && (at < 1 || performance.now() < until); at++) {
    // Out of step with the chunks, as a user is.
    const { ms: over, kept, closedMs } = await running.abort(Math.random() * INTERVAL_MS);
    if (at < 0) continue;
    aborts.over.push(over);
    aborts.closed.push(closedMs);
    aborts.kept &&= kept;
  }
  return aborts;
}

function rowOf(label: string, aborts: readonly Aborts[], bare: readonly Aborts[]): Row {
  const at = (percent: number, of: (one: Aborts) => readonly number[]): string =>
    slashed(
      aborts.map((one) => percentile(of(one), percent)),
      "ms",
    );
  const over = ({ over: values }: Aborts): readonly number[] => values;
  const closed = ({ closed: values }: Aborts): readonly number[] => values;
  const more = median(aborts[0]?.over ?? []) - median(bare[0]?.over ?? []);
  const isOpen = aborts.some((one) => !Number.isFinite(median(one.closed)));
  const told = [
    `p50 ${at(50, over)}${label === engineContender.label ? ` (${more < 0 ? "" : "+"}${ms(more)} over the bare loop at ${LOADS[0]})` : ""}, p99 ${at(99, over)}`,
    isOpen ? "connection left open" : `connection closed p50 ${at(50, closed)}, p99 ${at(99, closed)}`,
    `partial ${aborts.every(({ kept }) => kept) ? "kept" : "lost"}`,
  ];
  return { figure: label, aim: aimOf(label), measured: told.join("; ") };
}

const aimOf = (label: string): string => (label === engineContender.label ? "+2 ms, partial kept" : "");
