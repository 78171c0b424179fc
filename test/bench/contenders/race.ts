import { messageOf } from "../../../shared/contract/errors.ts";
import { type Endpoint, startEndpoint } from "../endpoint/endpoint.ts";
import { TURN_PIECES } from "../endpoint/script.ts";
import { median } from "../statistics.ts";
import { type Absent, bareLoop, type ContenderModule } from "./lineup.ts";
import { RunningContender, type Task } from "./running.ts";

export interface RaceOptions {
  /** The bare loop first. */
  readonly lineup: readonly ContenderModule[];
  readonly tasks: readonly Task[];
  /** How often each does a task before it is timed. */
  readonly warmUp: number;
  readonly rounds: number;
  /** How often a task is done in a round. */
  readonly times: number;
}

/** What a contender came to in each task. */
export interface Finish {
  readonly label: string;
  /** Milliseconds for a task, the median of the rounds. */
  readonly ms: readonly number[];
  /** Over the bare loop in the same round, the median of the rounds. */
  readonly ratios: readonly number[];
}

/**
 * Times contenders at the same tasks, in rounds in which everyone has a turn, so that whatever the machine does besides falls on
 * all alike. @returns those that came through, without the bare loop; and what kept the others from it.
 */
export async function race(options: RaceOptions): Promise<{ finishes: Finish[]; bare: Finish; absent: Absent[] }> {
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

/** Those that ran through the warm-up; what kept another from it goes to `absent`. */
async function startAll(options: RaceOptions, endpoint: Endpoint, absent: Absent[]): Promise<RunningContender[]> {
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
  task: Task,
  running: readonly RunningContender[],
  { rounds, times }: RaceOptions,
): Promise<Map<string, number[]>> {
  const taken = new Map<string, number[]>(running.map(({ label }) => [label, []]));
  for (let round = 0; round < rounds; round++) {
    // Whoever begins a round has the caches cold: it is another one each time.
    const first = round % running.length;
    for (const contender of [...running.slice(first), ...running.slice(0, first)]) {
      taken.get(contender.label)?.push(await contender.time(task, times));
    }
  }
  return taken;
}

function finishOf(label: string, taken: readonly ReadonlyMap<string, readonly number[]>[]): Finish {
  const ratioIn = (rounds: ReadonlyMap<string, readonly number[]>): number => {
    const bare = rounds.get(bareLoop.label) ?? [];
    return median((rounds.get(label) ?? []).map((value, round) => value / (bare[round] ?? Number.NaN)));
  };
  return { label, ms: taken.map((rounds) => median(rounds.get(label) ?? [])), ratios: taken.map(ratioIn) };
}
