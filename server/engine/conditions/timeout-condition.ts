import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import { countOf } from "../count-of.ts";
import { ConditionFired, type TerminationCondition } from "./termination-condition.ts";

/** Fires when it is checked `seconds` or more after its reset, or after its first check. */
export class TimeoutCondition implements TerminationCondition {
  readonly #seconds: number;
  #startedAt: number | undefined;
  #fired = false;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  get fired(): boolean {
    return this.#fired;
  }

  check(): string | null {
    if (this.#fired) throw new ConditionFired();
    this.#startedAt ??= performance.now();
    this.#fired = performance.now() - this.#startedAt >= this.#seconds * 1000;
    return this.#fired ? `Timeout of ${this.#seconds} seconds reached` : null;
  }

  reset(): void {
    this.#fired = false;
    this.#startedAt = performance.now();
  }

  describe(): ConditionReport[] {
    const passed = this.#startedAt === undefined ? 0 : Math.round((performance.now() - this.#startedAt) / 1000);
    const limit = countOf(this.#seconds, "second");
    const fired = this.#fired || passed >= this.#seconds;
    return [{ kind: "timeout", text: `Ends the run after ${limit}.`, progress: `${passed} of ${limit}`, fired }];
  }
}
