import { setTimeout as pause } from "node:timers/promises";

/**
 * Polls until there is an answer.
 * @param what names the condition in the error, as in "the page shows the team".
 * @param ask returns undefined while the condition does not hold; throwing counts as the same.
 * @param timeoutMs how long to poll, in milliseconds; generous, as the machine may be busy.
 * @throws when there is no answer in time, with the last thing thrown.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error;
    }
    await pause(50);
  }
  throw new Error(`Timed out after ${timeoutMs / 1000} s waiting until ${what}.`, { cause: last });
}
