import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import { ConditionFired, type ConditionInput, type TerminationCondition } from "./termination-condition.ts";

/** Fires with the first of its conditions; the stop reason joins those of all that fire at the same check. */
export class AnyCondition implements TerminationCondition {
  readonly #conditions: readonly TerminationCondition[];
  #pauses = false;

  constructor(conditions: readonly TerminationCondition[]) {
    this.#conditions = conditions;
  }

  get fired(): boolean {
    return this.#conditions.some((condition) => condition.fired);
  }

  /** A condition that ends the run takes precedence over those that pause it. */
  get pauses(): boolean {
    return this.#pauses;
  }

  check(input: readonly ConditionInput[]): string | null {
    if (this.fired) throw new ConditionFired();
    const stops = this.#conditions.flatMap((condition) => {
      const reason = condition.check(input);
      return reason === null ? [] : [{ reason, pauses: condition.pauses === true }];
    });
    this.#pauses = stops.every(({ pauses }) => pauses);
    return stops.length === 0 ? null : stops.map(({ reason }) => reason).join(", ");
  }

  reset(): void {
    this.#pauses = false;
    for (const condition of this.#conditions) condition.reset();
  }

  describe(unasked: readonly ConditionInput[]): ConditionReport[] {
    return this.#conditions.flatMap((condition) => condition.describe?.(unasked) ?? []);
  }

  setExternal(isSet: boolean): void {
    for (const condition of this.#conditions) condition.setExternal?.(isSet);
  }
}

/** Fires when each of its conditions has fired at some time since the reset. */
export class AllCondition implements TerminationCondition {
  readonly #conditions: readonly TerminationCondition[];
  readonly #reasons: string[] = [];

  constructor(conditions: readonly TerminationCondition[]) {
    this.#conditions = conditions;
  }

  get fired(): boolean {
    return this.#conditions.every((condition) => condition.fired);
  }

  check(input: readonly ConditionInput[]): string | null {
    if (this.fired) throw new ConditionFired();
    for (const condition of this.#conditions) {
      const reason = condition.fired ? null : condition.check(input);
      if (reason !== null) this.#reasons.push(reason);
    }
    return this.fired ? this.#reasons.join(", ") : null;
  }

  reset(): void {
    this.#reasons.length = 0;
    for (const condition of this.#conditions) condition.reset();
  }

  describe(unasked: readonly ConditionInput[]): ConditionReport[] {
    const reports = this.#conditions.flatMap((condition) => condition.describe?.(unasked) ?? []);
    return reports.map((report) => ({ ...report, together: true as const }));
  }

  setExternal(isSet: boolean): void {
    for (const condition of this.#conditions) condition.setExternal?.(isSet);
  }
}
