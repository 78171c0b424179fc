import { setImmediate, setTimeout } from "node:timers/promises";

/** Time as the models see it, so that a test never has to wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted. It never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async wait(ms, signal) {
    // A wait of nothing still lets the event loop turn: an interrupt that has come in meanwhile is then heard.
    const waited = ms > 0 ? setTimeout(ms, undefined, { signal }) : setImmediate(undefined, { signal });
    await waited.catch(() => undefined);
  },
};
