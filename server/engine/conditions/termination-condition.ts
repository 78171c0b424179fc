import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import type { ChatMessage, Usage } from "../../../shared/contract/message.ts";

/** A tool that ran: conditions see it beside the messages, and count it for nothing unless they ask for it. */
interface ToolExecution {
  readonly type: "ToolExecution";
  readonly name: string;
  readonly isError: boolean;
}

/** What was spent beside the messages: by a model step that ended in calls, by a manager, by a nested team. */
interface UsageReport {
  readonly type: "Spending";
  readonly usage: Usage;
}

/** A turn that came to its end. */
interface TurnEnd {
  readonly type: "TurnEnd";
}

/** A run began or ended; `renews` where the user's going on grants the budgets once more. Times are ISO 8601. */
interface RunEdge {
  readonly type: "RunStarted" | "RunEnded";
  readonly at: string;
  readonly renews?: true;
}

/** What a condition is shown: all that came since it was last asked, in order. */
export type ConditionInput = ChatMessage | ToolExecution | UsageReport | TurnEnd | RunEdge;

/** Thrown when a condition that has fired is asked again before its reset. */
export class ConditionFired extends Error {
  override readonly name = "ConditionFired";

  constructor() {
    super("The termination condition has fired already; reset it before it is asked again.");
  }
}

/**
 * Says when a run ends by itself (AutoGen AgentChat's `TerminationCondition`, and its texts). It keeps count between calls
 * of `check`, over as many runs as it takes, until it fires or is reset.
 */
export interface TerminationCondition {
  /** True from firing to the reset. */
  readonly fired: boolean;
  /** True when it only pauses the run, as a budget does: it has then not fired, and the user may go on. */
  readonly pauses?: boolean;
  /**
   * The stop reason when the new input makes it fire, else null.
   * @throws ConditionFired when it has fired and was not reset.
   */
  check(input: readonly ConditionInput[]): string | null;
  reset(): void;
  /** How it stands once it has taken in `unasked`, which it was not shown yet; nothing is changed by it. */
  describe?(unasked: readonly ConditionInput[]): ConditionReport[];
  /** Sets what is set from outside, wherever it stands in the condition, or takes that back; see {@link ExternalCondition}. */
  setExternal?(isSet: boolean): void;
}

export const isMessage = (input: ConditionInput): input is ChatMessage => "content" in input;

/** What was spent on an input. */
export const inputUsage = (input: ConditionInput): Usage | undefined => ("usage" in input ? input.usage : undefined);

/** What a condition says of itself: when it fires, and from its memory how far it has come. */
export interface ConditionDescription<S> {
  readonly kind: string;
  readonly text: string;
  readonly progress: (memory: S) => string;
}

/** A condition that looks at one input after another and keeps a memory of type `S` between them. */
export class StepCondition<S> implements TerminationCondition {
  readonly #start: () => S;
  readonly #step: (memory: S, input: ConditionInput) => S | { readonly stop: string };
  readonly #description: ConditionDescription<S>;
  #memory: S;
  /** The stop reason that it has given. */
  #stop: string | undefined;

  /** `step` returns the memory after one more input, or the stop reason. */
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
