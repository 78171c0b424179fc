import type { RunStatus } from "../../../shared/contract/team.ts";

/** Puts together what a stream produces. `result` may be asked for at any moment, and gives what there is so far. */
export interface Gatherer<T, R> {
  take(item: T): void;
  result(): R;
}

/** What came of a stream: its output, whole or partial, and how it ended. `error` is what it, or the gatherer, threw. */
export interface Collected<R> {
  readonly status: RunStatus;
  readonly output: R | null;
  readonly error?: unknown;
}

/**
 * Reads a stream to its end, or to its interruption, and keeps what it has produced either way (seed 003, "External
 * Interrupt Implementation"). A stream that had not begun when it was interrupted gives no output. Never throws.
 */
export async function collect<T, R>(
  open: () => AsyncIterable<T>,
  gatherer: Gatherer<T, R>,
  signal: AbortSignal,
): Promise<Collected<R>> {
  if (signal.aborted) return { status: interruptedStatus(), output: null };
  try {
    for await (const item of open()) {
      if (signal.aborted) break;
      gatherer.take(item);
    }
  } catch (error) {
    if (!signal.aborted) return { status: { code: "error" }, ...partial(gatherer), error };
  }
  if (signal.aborted) return { status: interruptedStatus(), ...partial(gatherer) };
  const { output, error } = partial(gatherer);
  if (error !== undefined) return { status: { code: "error" }, output, error };
  return { status: { code: "success" }, output };
}

/** The status of what a user's interrupt ended. */
export const interruptedStatus = (): RunStatus => ({ code: "interrupted", reason: "external_interrupt" });

function partial<R>(gatherer: Gatherer<never, R>): { output: R | null; error?: unknown } {
  try {
    return { output: gatherer.result() };
  } catch (error) {
    return { output: null, error: error ?? new Error("The result could not be put together.") };
  }
}
