import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { ConditionFired, type ConditionInput, isMessage, type TerminationCondition } from "./termination-condition.ts";

/**
 * A condition as a function of the new messages (AutoGen's FunctionalTermination). It returns a stop reason, true for the
 * default stop reason, or a falsy value to continue.
 */
export type StopFunction = (messages: readonly ChatMessage[]) => string | boolean | null | undefined;

/** Calls a {@link StopFunction} at each check. */
export class FunctionCondition implements TerminationCondition {
  readonly #stops: StopFunction;
  #fired = false;

  constructor(stops: StopFunction) {
    this.#stops = stops;
  }

  get fired(): boolean {
    return this.#fired;
  }

  check(input: readonly ConditionInput[]): string | null {
    if (this.#fired) throw new ConditionFired();
    const verdict = this.#stops(input.filter(isMessage));
    if (verdict === null || verdict === undefined || verdict === false) return null;
    this.#fired = true;
    return verdict === true ? "Functional termination condition met" : verdict;
  }

  reset(): void {
    this.#fired = false;
  }

  /** The function's own state is unknown. */
  describe(): ConditionReport[] {
    const text = "Ends the run when a custom function returns a stop reason.";
    return [{ kind: "function", text, progress: this.#fired ? "fired" : "not yet", fired: this.#fired }];
  }
}
