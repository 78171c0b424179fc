import type { ConditionSettings } from "../../../shared/contract/condition.ts";
import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import { countOf } from "../count-of.ts";
import { joinTexts } from "./condition-text.ts";
import type { ConditionInput, RunEdge, TerminationCondition } from "./termination-condition.ts";
import { inputUsage } from "./termination-condition.ts";

type Limits = ConditionSettings["budget"];

/** What was spent of a budget. Time is counted only while runs are in progress. */
interface Spent {
  tokens: number;
  cost: number;
  turns: number;
  ms: number;
}

const nothing = (): Spent => ({ tokens: 0, cost: 0, turns: 0, ms: 0 });

/**
 * Pauses the run when a limit is reached. When the user continues, the same limits are granted again. It is checked between
 * turns, so a turn in progress may exceed a limit.
 */
export class BudgetCondition implements TerminationCondition {
  readonly fired = false;
  readonly pauses = true;
  readonly #limits: Limits;
  readonly #now: () => number;
  #spent = nothing();
  /** The start of the run in progress. */
  #started: RunEdge | undefined;

  /** `now` returns milliseconds on the monotonic clock. */
  constructor(limits: Limits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  check(input: readonly ConditionInput[]): string | null {
    for (const item of input) this.#take(item);
    const reached = this.#amounts().flatMap(({ limit, amount, text }) =>
      amount < limit ? [] : [`The budget of ${text(limit)} is used up, at ${text(amount)}`],
    );
    return reached.length === 0 ? null : reached.join(", ");
  }

  reset(): void {
    this.#spent = nothing();
    if (this.#started !== undefined) this.#started = { ...this.#started, ms: this.#now() };
  }

  describe(unasked: readonly ConditionInput[]): ConditionReport[] {
    const budget = new BudgetCondition(this.#limits, this.#now);
    budget.#spent = { ...this.#spent };
    budget.#started = this.#started;
    for (const item of unasked) budget.#take(item);
    const amounts = budget.#amounts();
    const progress = joinTexts(amounts.map(({ limit, amount, text }) => `${text(amount)} of ${text(limit)}`));
    const fired = amounts.some(({ limit, amount }) => amount >= limit);
    return [{ kind: "budget", text: "Pauses the run when its budget is used up.", progress, fired }];
  }

  #take(item: ConditionInput): void {
    const usage = inputUsage(item);
    this.#spent.tokens += usage?.total ?? 0;
    this.#spent.cost += usage?.cost ?? 0;
    if (item.type === "TurnEnd") this.#spent.turns++;
    if (item.type === "Carried") {
      this.#spent.tokens -= item.granted?.usage.total ?? 0;
      this.#spent.cost -= item.granted?.usage.cost ?? 0;
      this.#spent.turns += item.turns - (item.granted?.turns ?? 0);
      this.#spent.ms += (item.seconds - (item.granted?.seconds ?? 0)) * 1000;
    }
    if (item.type === "RunStarted") this.#started = item;
    if (item.type === "RunEnded") {
      if (this.#started !== undefined) this.#spent.ms += timeBetween(this.#started, item);
      this.#started = undefined;
      if (item.renews) this.#spent = nothing();
    }
  }

  /** The limits that are set, each with the amount used and how to format it. */
  #amounts(): { readonly limit: number; readonly amount: number; readonly text: (amount: number) => string }[] {
    const { tokens, cost, turns, ms } = this.#spent;
    const limits = this.#limits;
    const all = [
      { limit: limits.tokens, amount: tokens, text: (amount: number) => countOf(amount, "token") },
      { limit: limits.turns, amount: turns, text: (amount: number) => countOf(amount, "turn") },
      { limit: limits.seconds, amount: (ms + this.#sinceStart()) / 1000, text: seconds },
      { limit: limits.cost, amount: cost, text: (amount: number) => `$${amount.toFixed(4)}` },
    ];
    return all.flatMap(({ limit, ...used }) => (limit === undefined ? [] : [{ limit, ...used }]));
  }

  #sinceStart(): number {
    return this.#started?.ms === undefined ? 0 : this.#now() - this.#started.ms;
  }
}

/** How long a run lasted, in milliseconds. For one of an earlier process only the clock's times are known. */
function timeBetween(start: RunEdge, end: RunEdge): number {
  if (start.ms !== undefined && end.ms !== undefined) return end.ms - start.ms;
  return Math.max(0, Date.parse(end.at) - Date.parse(start.at));
}

const seconds = (amount: number): string => countOf(Math.round(amount * 10) / 10, "second");
