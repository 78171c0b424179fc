import { setImmediate, setTimeout } from "node:timers/promises";

/** The time, replaceable so that a test never has to wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted. It never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async wait(ms, signal) {
    // A wait of zero still yields to the event loop, so that a pending interrupt is processed.
    const waited = ms > 0 ? setTimeout(ms, undefined, { signal }) : setImmediate(undefined, { signal });
    await waited.catch(() => undefined);
  },
};
