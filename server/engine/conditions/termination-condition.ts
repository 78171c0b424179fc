import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import type { ChatMessage, Usage } from "../../../shared/contract/message.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";

/** A tool call that was executed. Only some conditions count these. */
interface ToolExecution {
  readonly type: "ToolExecution";
  readonly name: string;
  readonly isError: boolean;
}

/** Usage outside messages: of a model response that requested tools, of a manager, or of a nested team. */
interface UsageReport {
  readonly type: "Spending";
  readonly usage: Usage;
}

/** A turn that ended. */
interface TurnEnd {
  readonly type: "TurnEnd";
}

/** A run started or ended; `renews` when continuing after it grants the budgets again. */
export interface RunEdge {
  readonly type: "RunStarted" | "RunEnded";
  /** ISO 8601. */
  readonly at: string;
  /** When it happened in this process, in milliseconds on the monotonic clock. */
  readonly ms?: number;
  readonly renews?: true;
}

/** What was spent before a state was loaded, beside the usage of its messages. */
interface Carried extends Readonly<NonNullable<SavedState["spent"]>> {
  readonly type: "Carried";
}

/** What a condition is shown: everything new since its last check, in order. */
export type ConditionInput = ChatMessage | ToolExecution | UsageReport | TurnEnd | RunEdge | Carried;

/** Thrown when a condition that has fired is checked again before its reset. */
export class ConditionFired extends Error {
  override readonly name = "ConditionFired";

  constructor() {
    super("The termination condition has fired already; reset it before it is asked again.");
  }
}

/**
 * Decides when a run ends (AutoGen AgentChat's `TerminationCondition`, with its texts). It keeps its state between calls of
 * `check`, across runs, until it fires or is reset.
 */
export interface TerminationCondition {
  /** True from firing to the reset. */
  readonly fired: boolean;
  /** True when it only pauses the run, as a budget does. It has then not fired, and the user may continue. */
  readonly pauses?: boolean;
  /**
   * The stop reason when the new input makes it fire, else null.
   * @throws ConditionFired when it has fired and was not reset.
   */
  check(input: readonly ConditionInput[]): string | null;
  reset(): void;
  /** Describes its state including `unasked`, inputs that it was not checked with yet. Has no side effects. */
  describe?(unasked: readonly ConditionInput[]): ConditionReport[];
  /** Sets or clears the external conditions in it; see {@link ExternalCondition}. */
  setExternal?(isSet: boolean): void;
}

export const isMessage = (input: ConditionInput): input is ChatMessage => "content" in input;

/** The usage of an input, if it has any. */
export const inputUsage = (input: ConditionInput): Usage | undefined => ("usage" in input ? input.usage : undefined);

/** Describes a condition: when it fires, and its progress from its state. */
export interface ConditionDescription<S> {
  readonly kind: string;
  readonly text: string;
  readonly progress: (memory: S) => string;
}

/** A condition that processes one input at a time, with a state of type `S`. */
export class StepCondition<S> implements TerminationCondition {
  readonly #start: () => S;
  readonly #step: (memory: S, input: ConditionInput) => S | { readonly stop: string };
  readonly #description: ConditionDescription<S>;
  #memory: S;
  /** The stop reason, once it has fired. */
  #stop: string | undefined;

  /** `step` returns the state after one more input, or the stop reason. */
  constructor(
    text: ConditionDescription<S>,
    start: () => S,
    step: (memory: S, input: ConditionInput) => S | { readonly stop: string },
  ) {
    this.#description = text;
    this.#start = start;
    this.#step = step;
    this.#memory = start();
  }

  get fired(): boolean {
    return this.#stop !== undefined;
  }

  check(input: readonly ConditionInput[]): string | null {
    if (this.fired) throw new ConditionFired();
    for (const item of input) {
      const next = this.#step(this.#memory, item);
      if (isStop(next)) {
        this.#stop = next.stop;
        return next.stop;
      }
      this.#memory = next;
    }
    return null;
  }

  reset(): void {
    this.#stop = undefined;
    this.#memory = this.#start();
  }

  describe(unasked: readonly ConditionInput[]): ConditionReport[] {
    let memory = this.#memory;
    let stop = this.#stop;
    for (const item of unasked) {
      const next = stop === undefined ? this.#step(memory, item) : memory;
      if (isStop(next)) stop = next.stop;
      else memory = next;
    }
    const { kind, text, progress } = this.#description;
    return [{ kind, text, progress: stop ?? progress(memory), fired: stop !== undefined }];
  }
}

function isStop<S>(step: S | { readonly stop: string }): step is { readonly stop: string } {
  return typeof step === "object" && step !== null && "stop" in step;
}
