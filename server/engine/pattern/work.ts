/** How much matching may still be done. One unit is a character for which the next state is known, about 5 to 10 ns. */
export interface Work {
  left: number;
}

/** What may be matched in one turn of the event loop, 5 to 10 ms. */
const UNITS_PER_TURN = 1_000_000;

/** What the tests of one event may take in all, one or two seconds: a hundred patterns over two million characters. */
const UNITS_PER_EVENT = 250_000_000;

/** Matching that can be done in parts. */
export interface Matching {
  /** Goes on until it is done, which it returns, or until the work is used up. */
  run(work: Work): boolean;
}

/** Work that is granted again in each turn of the event loop: there is one loop, so this is the only state of its kind. */
class WorkPerTurn {
  #granted: Work | undefined;

  get(): Work {
    if (this.#granted === undefined) {
      this.#granted = { left: UNITS_PER_TURN };
      setImmediate(() => {
        this.#granted = undefined;
      });
    }
    return this.#granted;
  }
}

const shared = new WorkPerTurn();
const reserve = new WorkPerTurn();

/** What is left for this turn of the event loop, for all that can wait for the next one. */
export const workOfTurn = (): Work => shared.get();

/** What is left for this turn of the event loop, for what cannot wait. */
export const workOfTurnAtOnce = (): Work => reserve.get();

/**
 * Carries out matchings one after the other, and lets the event loop turn in between. Undefined if that was not necessary.
 * They are left unfinished when `signal` is aborted, and when they take more than the limit.
 */
export function runMatchings(matchings: readonly Matching[], signal?: AbortSignal): Promise<void> | undefined {
  const queue = [...matchings];
  const total: Work = { left: UNITS_PER_EVENT };
  return runTurn(queue, total) ? undefined : runTurns(queue, total, signal);
}

async function runTurns(queue: Matching[], total: Work, signal: AbortSignal | undefined): Promise<void> {
  do await nextTurn();
  while (signal?.aborted !== true && !runTurn(queue, total));
}

/** True when nothing is left to do, or no work is left. */
function runTurn(queue: Matching[], total: Work): boolean {
  const work = workOfTurn();
  const before = work.left;
  for (let next = queue[0]; next !== undefined && work.left > 0; next = queue[0]) {
    if (next.run(work)) queue.shift();
  }
  total.left -= before - work.left;
  return queue.length === 0 || total.left <= 0;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
