import type { RunStatus } from "../../../shared/contract/team.ts";

/** `status.reason` of what a user's interrupt ended. */
const EXTERNAL_INTERRUPT = "external_interrupt";

/** Accumulates what a stream yields. `result` may be called at any time and returns what was collected so far. */
export interface Collector<T, R> {
  add(item: T): void;
  result(): R;
}

/** The output of a stream, whole or partial, and how the stream ended. `error` is what the stream or the collector threw. */
export interface CollectedStream<R> {
  readonly status: RunStatus;
  readonly output: R | null;
  readonly error?: unknown;
}

/**
 * Reads a stream until it ends or `signal` is aborted, and keeps its output either way (the Timbal external interrupt
 * design, DECISIONS.md). A stream that was interrupted before it started has no output. Never throws.
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
  if (signal.aborted) {
    const left = partial(collector);
    const status = interruptedStatus();
    return { status: left.output === null ? status : withPartialResults(status), ...left };
  }
  const { output, error } = partial(collector);
  if (error !== undefined) return { status: { code: "error" }, output, error };
  return { status: { code: "success" }, output };
}

/** The status of a run that a user's interrupt ended. */
export const interruptedStatus = (): RunStatus => ({ code: "interrupted", reason: EXTERNAL_INTERRUPT });

/** The status of an interrupt that left output, with the message of the Timbal design; any other status as it is. */
export const withPartialResults = (status: RunStatus): RunStatus =>
  status.code === "interrupted" && status.reason === EXTERNAL_INTERRUPT
    ? { ...status, message: "Execution interrupted with partial results" }
    : status;

function partial<R>(collector: Collector<never, R>): { output: R | null; error?: unknown } {
  try {
    return { output: collector.result() };
  } catch (error) {
    return { output: null, error: error ?? new Error("The collector could not produce a result.") };
  }
}
