/** How often it is looked at most, in milliseconds. */
const MAX_INTERVAL_MS = 15_000;

/** Calls `end` once `isIdle` has been true for so many milliseconds. It can be ended before. */
export function whenIdle(idleMs: number, isIdle: () => boolean, end: () => void): Disposable {
  let since: number | undefined;
  const timer = setInterval(
    () => {
      const now = performance.now();
      since = isIdle() ? (since ?? now) : undefined;
      if (since === undefined || now - since < idleMs) return;
      clearInterval(timer);
      end();
    },
    Math.min(idleMs, MAX_INTERVAL_MS),
  );
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
