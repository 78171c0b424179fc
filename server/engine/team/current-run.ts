import { teamBusy } from "../../../shared/contract/errors.ts";
import type { InterruptCause } from "../cancellation/run-context.ts";
import type { RunOptions } from "../requests.ts";
import { Run } from "../run/run.ts";
import type { RunEnd } from "../run/run-end.ts";
import type { RunParts } from "../run/run-parts.ts";
import type { RunTrigger } from "../run/run-trigger.ts";

export interface CurrentRunOptions {
  readonly teamId: string;
  readonly parts: RunParts;
  /** Called when a run is executed, before any of its turns. */
  readonly onExecute: (run: Run) => void;
  /** Called when a run has ended, before those who wait for its result are notified. */
  readonly onEnd: (end: RunEnd, run: Run) => void;
}

/** The run in progress of a team: at most one at a time. */
export class CurrentRun {
  readonly #options: CurrentRunOptions;
  #run: Run | undefined;

  constructor(options: CurrentRunOptions) {
    this.#options = options;
  }

  /** The run in progress, if any. */
  get run(): Run | undefined {
    return this.#run;
  }

  /** @throws GavelError `TeamBusy` while a run is in progress. */
  assertAtRest(): void {
    if (this.#run !== undefined) throw teamBusy(this.#options.teamId);
  }

  /** Starts a run. @throws what {@link Run.recordStart} throws; there is then no run. */
  start(trigger: RunTrigger, options: RunOptions = {}): Run {
    const run = this.create(trigger, options.earlier);
    this.begin(run);
    this.execute(run, options);
    return run;
  }

  /**
   * Creates a run without executing it. It is the run in progress from here on, so that an interrupt during the events that
   * come before it finds it.
   */
  create(trigger: RunTrigger, earlier?: RunOptions["earlier"]): Run {
    const { parts } = this.#options;
    const { conditionMessages } = parts.ledger.state;
    parts.conditions.restore(parts.transcript, conditionMessages);
    this.#run = new Run(parts, trigger, earlier);
    return this.#run;
  }

  /** Gives up a created run that is not executed, because of `error`. */
  drop(run: Run, error: unknown): void {
    this.#run = undefined;
    run.drop(error);
  }

  /** Records the start of a created run. @throws GavelError `StorageError` if it cannot be stored; there is then no run. */
  begin(run: Run): void {
    try {
      run.recordStart();
    } catch (error) {
      this.drop(run, error);
      throw error;
    }
  }

  /** Executes a run whose start is recorded. */
  execute(run: Run, { signal, soft }: RunOptions = {}): void {
    const cancel = (): void => run.context.interrupt(causeOf(signal?.reason));
    const windDown = (): void => run.windDown("thought");
    signal?.addEventListener("abort", cancel);
    soft?.addEventListener("abort", windDown);
    if (soft?.aborted) windDown();
    if (signal?.aborted) cancel();
    this.#options.onExecute(run);
    void run.execute((end) => {
      this.#run = undefined;
      signal?.removeEventListener("abort", cancel);
      soft?.removeEventListener("abort", windDown);
      this.#options.onEnd(end, run);
    });
  }
}

/** The interrupt of an outer team reaches a nested one with its cause; any other signal is the hard stop. */
function causeOf(reason: unknown): InterruptCause {
  const isCause = typeof reason === "object" && reason !== null && "kind" in reason && !(reason instanceof Error);
  return isCause ? (reason as InterruptCause) : { kind: "cancel" };
}
