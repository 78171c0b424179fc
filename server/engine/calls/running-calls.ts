import type { MessageContext } from "../runtime/runtime.ts";
import type { CallOutcome } from "./call-outcome.ts";
import { type ExecutableCall, INTERRUPTED_CALL_RESULT, type ToolExecutor } from "./tool-executor.ts";

interface RunningCall {
  /** Aborts the call; resolves when it has its result. */
  cancel(): Promise<void>;
}

/**
 * A participant's running tool calls. A call can be cancelled alone, and its turn then continues. An interrupt of the turn
 * aborts the calls whose tool declares `onInterrupt: abort`; the others run until they end.
 */
export class RunningCalls {
  readonly #executor: ToolExecutor;
  readonly #graceMs: number;
  readonly #running = new Map<string, RunningCall>();
  /** The calls that were cancelled before they ran. */
  readonly #cancelled = new Map<string, PromiseWithResolvers<void>>();

  /** `graceMs`: how long a cancelled tool may take to stop before it is abandoned, in milliseconds. */
  constructor(executor: ToolExecutor, graceMs: number) {
    this.#executor = executor;
    this.#graceMs = graceMs;
  }

  /** Runs one call; never throws. An abort of `soft` keeps a tool from starting; one that has started goes on. */
  async run(call: ExecutableCall, { signal, soft }: MessageContext): Promise<CallOutcome> {
    const abort = new AbortController();
    const abandoned = Promise.withResolvers<CallOutcome>();
    let isCancelled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const interrupt = (): void => abort.abort(signal.reason);
    signal.addEventListener("abort", interrupt, { once: true });
    soft.addEventListener("abort", interrupt, { once: true });
    if (signal.aborted || soft.aborted) interrupt();
    // Only a tool that has started is left running: an interrupt that came before keeps the tool from starting.
    const onStart = (): void => {
      soft.removeEventListener("abort", interrupt);
      if (this.#executor.interruptBehavior(call.name) !== "abort") signal.removeEventListener("abort", interrupt);
    };
    const ended = Promise.withResolvers<void>();
    const running: RunningCall = {
      cancel: async () => {
        isCancelled = true;
        abort.abort();
        timer ??= setTimeout(() => abandoned.resolve(this.#executor.abandon(call)), this.#graceMs);
        await ended.promise;
      },
    };
    // Registered before the first event, so that a listener of that event can already cancel it.
    this.#running.set(call.ref, running);
    const cancelled = this.#cancelled.get(call.ref);
    if (cancelled !== undefined) void running.cancel().then(cancelled.resolve);
    try {
      const outcome = this.#executor.run(call, abort.signal, onStart);
      const end = await Promise.race([outcome, abandoned.promise]);
      return end.kind === "interrupted" && isCancelled ? cancelledOutcome(call.ref) : end;
    } finally {
      ended.resolve();
      clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
      soft.removeEventListener("abort", interrupt);
      this.#running.delete(call.ref);
      this.#cancelled.delete(call.ref);
    }
  }

  /** Cancels one call, which does not start if it has not yet; resolves when it has its result. */
  cancel(ref: string): Promise<void> {
    const running = this.#running.get(ref);
    if (running !== undefined) return running.cancel();
    const cancelled = this.#cancelled.get(ref) ?? Promise.withResolvers<void>();
    this.#cancelled.set(ref, cancelled);
    return cancelled.promise;
  }
}

const cancelledOutcome = (ref: string): CallOutcome => ({
  kind: "done",
  ref,
  output: INTERRUPTED_CALL_RESULT,
  isError: true,
});
