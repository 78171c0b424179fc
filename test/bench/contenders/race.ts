import { messageOf } from "../../../shared/contract/errors.ts";
import { type BenchEndpoint, startEndpoint } from "../endpoint/endpoint.ts";
import { TURN_PIECES } from "../endpoint/script.ts";
import { median } from "../statistics.ts";
import { type Absent, bareLoop, type ContenderModule } from "./lineup.ts";
import { type BenchTask, RunningContender } from "./running-contender.ts";

export interface RaceOptions {
  /** The bare loop first. */
  readonly lineup: readonly ContenderModule[];
  readonly tasks: readonly BenchTask[];
  /** Runs of each task before it is timed. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Runs of a task in one round. */
  readonly times: number;
}

/** A contender's figures, one for each task. */
export interface RaceResult {
  readonly label: string;
  /** Milliseconds for one run: the median of the rounds. */
  readonly ms: readonly number[];
  /** Ratio to the bare loop in the same round: the median of the rounds. */
  readonly ratios: readonly number[];
}

/**
 * Times contenders at the same tasks in rounds that include every contender, so that other load on the machine affects all
 * alike. @returns the results without the bare loop's, the bare loop's, and why others could not take part.
 */
export async function runRace(
  options: RaceOptions,
): Promise<{ finishes: RaceResult[]; bare: RaceResult; absent: Absent[] }> {
  const endpoint = await startEndpoint();
  const absent: Absent[] = [];
  const running = await startAll(options, endpoint, absent);
  try {
    const taken: Map<string, number[]>[] = [];
    for (const task of options.tasks) taken.push(await roundsOf(task, running, options));
    const [bare, ...finishes] = running.map(({ label }) => finishOf(label, taken));
    if (bare?.label !== bareLoop.label) throw new Error(absent.find(({ label }) => label === bareLoop.label)?.why);
    return { finishes, bare, absent };
  } finally {
    for (const contender of running) await contender.stop();
    await endpoint.stop();
  }
}

/** Starts the contenders that complete the warm-up; the others are added to `absent` with the reason. */
async function startAll(options: RaceOptions, endpoint: BenchEndpoint, absent: Absent[]): Promise<RunningContender[]> {
  const running: RunningContender[] = [];
  for (const contender of options.lineup) {
    try {
      const started = await RunningContender.start(contender, endpoint, { pieces: TURN_PIECES, intervalMs: 0 });
      running.push(started);
      for (const task of options.tasks) await started.time(task, options.warmUp);
    } catch (error) {
      absent.push({ label: contender.label, why: messageOf(error) });
      if (running.at(-1)?.label === contender.label) await running.pop()?.stop();
    }
  }
  return running;
}

async function roundsOf(
  task: BenchTask,
  running: readonly RunningContender[],
  { rounds, times }: RaceOptions,
): Promise<Map<string, number[]>> {
  const taken = new Map<string, number[]>(running.map(({ label }) => [label, []]));
  for (let round = 0; round < rounds; round++) {
    // The first of a round runs with cold caches, so each round starts with another one.
    const first = round % running.length;
    for (const contender of [...running.slice(first), ...running.slice(0, first)]) {
      taken.get(contender.label)?.push(await contender.time(task, times));
    }
  }
  return taken;
}

function finishOf(label: string, taken: readonly ReadonlyMap<string, readonly number[]>[]): RaceResult {
  const ratioIn = (rounds: ReadonlyMap<string, readonly number[]>): number => {
    const bare = rounds.get(bareLoop.label) ?? [];
    return median((rounds.get(label) ?? []).map((value, round) => value / (bare[round] ?? Number.NaN)));
  };
  return { label, ms: taken.map((rounds) => median(rounds.get(label) ?? [])), ratios: taken.map(ratioIn) };
}
