import type { RunStatus } from "../../../shared/contract/team.ts";

/** Puts together what a stream produces. `result` may be asked for at any moment, and gives what there is so far. */
export interface Collector<T, R> {
  add(item: T): void;
  result(): R;
}

/** What came of a stream: its output, whole or partial, and how it ended. `error` is what it, or the collector, threw. */
export interface CollectedStream<R> {
  readonly status: RunStatus;
  readonly output: R | null;
  readonly error?: unknown;
}

/**
 * Reads a stream to its end, or to its interruption, and keeps what it has produced either way (seed 003, "External
 * Interrupt Implementation"). A stream that had not begun when it was interrupted gives no output. Never throws.
 */
export async function collectStream<T, R>(
  open: () => AsyncIterable<T>,
  collector: Collector<T, R>,
  signal: AbortSignal,
): Promise<CollectedStream<R>> {
  if (signal.aborted) return { status: interruptedStatus(), output: null };
  try {
    for await (const item of open()) {
      if (signal.aborted) break;
      collector.add(item);
    }
  } catch (error) {
    if (!signal.aborted) return { status: { code: "error" }, ...partial(collector), error };
  }
  if (signal.aborted) return { status: interruptedStatus(), ...partial(collector) };
  const { output, error } = partial(collector);
  if (error !== undefined) return { status: { code: "error" }, output, error };
  return { status: { code: "success" }, output };
}

/** The status of what a user's interrupt ended. */
export const interruptedStatus = (): RunStatus => ({ code: "interrupted", reason: "external_interrupt" });

function partial<R>(collector: Collector<never, R>): { output: R | null; error?: unknown } {
  try {
    return { output: collector.result() };
  } catch (error) {
    return { output: null, error: error ?? new Error("The result could not be put together.") };
  }
}
