import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import { ConditionFired, type TerminationCondition } from "./termination-condition.ts";

/** The stop reason of a run that was ended from outside. */
export const EXTERNAL_STOP = "External termination requested";

/** Fires at the next check after it was set from outside. */
export class ExternalCondition implements TerminationCondition {
  #set = false;
  #fired = false;

  get fired(): boolean {
    return this.#fired;
  }

  setExternal(isSet: boolean): void {
    this.#set = isSet;
  }

  describe(): ConditionReport[] {
    const text = "Ends the run after the current turn when an external stop is requested.";
    return [{ kind: "external", text, progress: this.#set ? "requested" : "not requested", fired: this.#set }];
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
