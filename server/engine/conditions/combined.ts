import { ConditionFired, type ConditionInput, type TerminationCondition } from "./condition.ts";

/** Fires with the first of its conditions; the stop reason names each that fired with it. */
export class AnyCondition implements TerminationCondition {
  readonly #conditions: readonly TerminationCondition[];

  constructor(conditions: readonly TerminationCondition[]) {
    this.#conditions = conditions;
  }

  get fired(): boolean {
    return this.#conditions.some((condition) => condition.fired);
  }

  check(input: readonly ConditionInput[]): string | null {
    if (this.fired) throw new ConditionFired();
    const reasons = this.#conditions.flatMap((condition) => condition.check(input) ?? []);
    return reasons.length === 0 ? null : reasons.join(", ");
  }

  reset(): void {
    for (const condition of this.#conditions) condition.reset();
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
}
