import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { ConditionFired, type ConditionInput, isMessage, type TerminationCondition } from "./termination-condition.ts";

/**
 * A condition that is a function of the messages that came since it was last asked (AutoGen's FunctionalTermination): it
 * returns the stop reason, true for a reason of the condition's own, or nothing.
 */
export type StopFunction = (messages: readonly ChatMessage[]) => string | boolean | null | undefined;

/** The condition that asks `stops`. */
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

  /** What the function keeps in mind is its own. */
  describe(): ConditionReport[] {
    const text = "Ends the run when a function of the team's maker says so.";
    return [{ kind: "function", text, progress: this.#fired ? "fired" : "not yet", fired: this.#fired }];
  }
}
