/** Time as a team's watches and waits see it, so that a test never has to wait. */
export interface Timers {
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /**
   * Calls `call` once, after `ms` milliseconds or, where that is weeks, sooner; the function that it returns takes that
   * back.
   */
  after(ms: number, call: () => void): () => void;
}

/** What `setTimeout` can wait, in milliseconds. */
const LONGEST = 2_147_483_647;

/** The time of the process. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, LONGEST));
    return () => clearTimeout(timer);
  },
};
