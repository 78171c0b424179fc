import type { ChatMessage, Usage } from "../../../shared/contract/message.ts";

/** A tool that ran: conditions see it beside the messages, and count it for nothing unless they ask for it. */
interface ToolExecution {
  readonly type: "ToolExecution";
  readonly name: string;
  readonly isError: boolean;
}

/** A model step that ended in calls, for what it cost. */
interface ToolRequest {
  readonly type: "ToolRequest";
  readonly usage: Usage;
}

/** What a condition is shown: all that came since it was last asked, in order. */
export type ConditionInput = ChatMessage | ToolExecution | ToolRequest;

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
  /**
   * The stop reason when the new input makes it fire, else null.
   * @throws ConditionFired when it has fired and was not reset.
   */
  check(input: readonly ConditionInput[]): string | null;
  reset(): void;
}

export const isMessage = (input: ConditionInput): input is ChatMessage =>
  input.type !== "ToolExecution" && input.type !== "ToolRequest";

/** A condition that looks at one input after another and keeps a memory of type `S` between them. */
export class StepCondition<S> implements TerminationCondition {
  readonly #start: () => S;
  readonly #step: (memory: S, input: ConditionInput) => S | { readonly stop: string };
  #memory: S;
  #fired = false;

  /** `step` returns the memory after one more input, or the stop reason. */
  constructor(start: () => S, step: (memory: S, input: ConditionInput) => S | { readonly stop: string }) {
    this.#start = start;
    this.#step = step;
    this.#memory = start();
  }

  get fired(): boolean {
    return this.#fired;
  }

  check(input: readonly ConditionInput[]): string | null {
    if (this.#fired) throw new ConditionFired();
    for (const item of input) {
      const next = this.#step(this.#memory, item);
      if (isStop(next)) {
        this.#fired = true;
        return next.stop;
      }
      this.#memory = next;
    }
    return null;
  }

  reset(): void {
    this.#fired = false;
    this.#memory = this.#start();
  }
}

function isStop<S>(step: S | { readonly stop: string }): step is { readonly stop: string } {
  return typeof step === "object" && step !== null && "stop" in step;
}
