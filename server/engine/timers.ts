/** The clock of a team's watches and timeouts, replaceable so that tests need not wait. */
export interface Timers {
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Calls `call` once after `ms` milliseconds (at most about 25 days); the returned function cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** The longest delay of `setTimeout`, in milliseconds. */
const MAX_DELAY = 2_147_483_647;

/** The clock of the process. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, MAX_DELAY));
    return () => clearTimeout(timer);
  },
};
