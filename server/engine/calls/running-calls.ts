import type { CallOutcome } from "./call-outcome.ts";
import { type ExecutableCall, INTERRUPTED_CALL_RESULT, type ToolExecutor } from "./tool-executor.ts";

interface Running {
  /** Aborts the call; resolves when it has its result. */
  cut(): Promise<void>;
}

/**
 * The calls that a participant's tools are at work on. Each can be cut by itself, and then its turn goes on; an interrupt of
 * the turn reaches those whose tools are to be aborted by it, and lets the others come to their end.
 */
export class RunningCalls {
  readonly #executor: ToolExecutor;
  readonly #graceMs: number;
  readonly #running = new Map<string, Running>();

  /** `graceMs` is how long a tool may take to stop before it is left behind, in milliseconds. */
  constructor(executor: ToolExecutor, graceMs: number) {
    this.#executor = executor;
    this.#graceMs = graceMs;
  }

  /** Runs one call; never throws. */
  async run(call: ExecutableCall, signal: AbortSignal): Promise<CallOutcome> {
    const abort = new AbortController();
    const left = Promise.withResolvers<CallOutcome>();
    let isCut = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const interrupt = (): void => abort.abort(signal.reason);
    signal.addEventListener("abort", interrupt, { once: true });
    if (signal.aborted) interrupt();
    const over = Promise.withResolvers<void>();
    // From its first event on it can be cut.
    this.#running.set(call.ref, {
      cut: async () => {
        isCut = true;
        abort.abort();
        timer ??= setTimeout(() => left.resolve(this.#executor.abandon(call)), this.#graceMs);
        await over.promise;
      },
    });
    try {
      const ended = this.#executor.run(call, abort.signal);
      // Only a tool that is at work can be let go on: until it has begun, an interrupt keeps it from beginning.
      if (this.#executor.interruptBehavior(call.name) !== "abort") signal.removeEventListener("abort", interrupt);
      const end = await Promise.race([ended, left.promise]);
      return end.kind === "interrupted" && isCut ? cutShort(call.ref) : end;
    } finally {
      over.resolve();
      clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
      this.#running.delete(call.ref);
    }
  }

  /** Cuts one call short; resolves when it has its result, and at once when it is not running. */
  async cut(ref: string): Promise<void> {
    await this.#running.get(ref)?.cut();
  }
}

const cutShort = (ref: string): CallOutcome => ({ kind: "done", ref, output: INTERRUPTED_CALL_RESULT, isError: true });
