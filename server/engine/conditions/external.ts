import { ConditionFired, type TerminationCondition } from "./condition.ts";

/** The stop reason of a run that was ended from outside. */
export const EXTERNAL_STOP = "External termination requested";

/** Fires at the next question after `set` was called from outside. */
export class ExternalCondition implements TerminationCondition {
  #set = false;
  #fired = false;

  get fired(): boolean {
    return this.#fired;
  }

  set(): void {
    this.#set = true;
  }

  check(): string | null {
    if (this.#fired) throw new ConditionFired();
    this.#fired = this.#set;
    return this.#fired ? EXTERNAL_STOP : null;
  }

  reset(): void {
    this.#set = false;
    this.#fired = false;
  }
}
