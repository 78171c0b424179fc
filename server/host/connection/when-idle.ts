/** How often it is looked at least, in milliseconds. */
const MAX_INTERVAL_MS = 15_000;

/**
 * Calls `end` once `isIdle` has been true for so many milliseconds, each time that it was looked at. It can be ended before.
 * While the computer sleeps, no time passes.
 */
export function whenIdle(idleMs: number, isIdle: () => boolean, end: () => void): Disposable {
  const interval = Math.min(idleMs, MAX_INTERVAL_MS);
  let idleFor: number | undefined;
  const timer = setInterval(() => {
    if (!isIdle()) {
      idleFor = undefined;
      return;
    }
    idleFor = idleFor === undefined ? 0 : idleFor + interval;
    if (idleFor < idleMs) return;
    clearInterval(timer);
    end();
  }, interval);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
