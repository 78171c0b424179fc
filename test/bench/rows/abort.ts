import { type Absent, bareLoop, engine, peerLineup } from "../contenders/lineup.ts";
import { RunningContender } from "../contenders/running.ts";
import { startEndpoint } from "../endpoint/endpoint.ts";
import { median, ms } from "../statistics.ts";
import type { Bench, Row } from "./row.ts";

const INTERVAL_MS = 5;
/** Few, so that the stream of one that does not close it ends before the next begins. */
const PIECES = 100;
const WARM_UP = 5;
const ROUNDS = 30;

interface Aborts {
  readonly label: string;
  readonly over: number[];
  readonly closed: number[];
  kept: boolean;
}

/** From the abort of a stream to the end of its turn, and what is left of the text that had come. */
export const abort: Bench = {
  name: "abort",
  async run() {
    const endpoint = await startEndpoint();
    const { present, absent } = await peerLineup();
    const running: RunningContender[] = [];
    try {
      for (const contender of [bareLoop, engine, ...present]) {
        running.push(await RunningContender.start(contender, endpoint, { pieces: PIECES, intervalMs: INTERVAL_MS }));
      }
      const all: Aborts[] = running.map(({ label }) => ({ label, over: [], closed: [], kept: true }));
      for (let round = -WARM_UP; round < ROUNDS; round++) {
        for (const [at, contender] of running.entries()) {
          // Not in step with the pieces, as no user is.
          const { ms: over, kept, closedMs } = await contender.abort((round + WARM_UP) % INTERVAL_MS);
          const aborts = all[at];
          if (aborts === undefined || round < 0) continue;
          aborts.over.push(over);
          aborts.closed.push(closedMs);
          aborts.kept &&= kept;
        }
      }
      return [...rowsOf(all), ...absent.map(absentRow)];
    } finally {
      for (const contender of running) await contender.stop();
      await endpoint.stop();
    }
  },
};

function rowsOf([bare, ...others]: readonly Aborts[]): Row[] {
  return others.map(({ label, over, closed, kept }) => {
    const more = median(over) - median(bare?.over ?? []);
    const told = [
      `${ms(median(over))}, ${more < 0 ? "" : "+"}${ms(more)}`,
      `partial ${kept ? "kept" : "lost"}`,
      Number.isFinite(median(closed)) ? `connection closed after ${ms(median(closed))}` : "connection left open",
    ];
    return {
      figure: figureOf(label),
      aim: label === engine.label ? "+2 ms, partial kept" : "",
      measured: told.join("; "),
    };
  });
}

const figureOf = (label: string): string => `abort to the end of the run, beside ${bareLoop.label}: ${label}`;

const absentRow = ({ label, why }: Absent): Row => ({
  figure: figureOf(label),
  aim: "",
  measured: `not measured: ${why}`,
});
