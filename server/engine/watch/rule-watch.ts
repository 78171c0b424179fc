import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptRule } from "../../../shared/contract/interrupt-rule.ts";
import { usageOf } from "../../../shared/state/reducer.ts";
import type { InterruptOptions } from "../requests.ts";
import type { Timers } from "../timers.ts";
import { RunningTime } from "./running-time.ts";
import { WatchedTurns } from "./watched-turns.ts";

/** Whom an interrupt is by that a rule without a name asks for. */
export const WATCH = "watch";

export interface RuleWatchOptions {
  readonly rule: InterruptRule;
  readonly timers: Timers;
  /** True of a participant of the team at that path, seen from the team whose rule it is. */
  readonly isMember: (name: string, path: readonly string[]) => boolean;
  /** Interrupts the run, or the one participant where there is a name. */
  readonly interrupt: (options: Omit<InterruptOptions, "scope">, participant: string | undefined) => void;
}

/** What a run has used. */
interface Used {
  turns: number;
  tokens: number;
  cost: number;
}

const nothing = (): Used => ({ turns: 0, tokens: 0, cost: 0 });

/**
 * One rule over one team: fires once in a run, when all that it names holds at one time. What a run has used goes on being
 * counted in the run that follows on the answers to its tool calls.
 */
export class RuleWatch {
  readonly #options: RuleWatchOptions;
  readonly #turns: WatchedTurns;
  readonly #time: RunningTime;
  #used = nothing();
  #isOn = false;
  #hasFired = false;

  constructor(options: RuleWatchOptions) {
    const { rule, timers, isMember } = options;
    const { seconds, stall } = rule.when;
    this.#options = options;
    this.#turns = new WatchedTurns({ watched: rule.when, isMember });
    const onTime = (): void => this.#look();
    this.#time = new RunningTime({ seconds, stallSeconds: stall?.seconds, timers, onTime });
  }

  /** Takes an event of the team, or of one within it. */
  take(event: TeamEvent): void {
    this.#turns.take(event);
    const isOwn = event.path === undefined;
    if (isOwn && event.type === "run/started") this.#begin(event.cause !== "tools" || this.#hasFired);
    else if (isOwn && event.type === "run/ended") this.#end();
    if (!this.#isOn) return;
    this.#time.heard();
    this.#count(event);
    this.#look();
  }

  #begin(anew: boolean): void {
    if (anew) this.#used = nothing();
    this.#isOn = true;
    this.#hasFired = false;
    this.#time.start(anew);
  }

  #end(): void {
    this.#isOn = false;
    this.#time.stop();
  }

  #count(event: TeamEvent): void {
    const usage = usageOf(event);
    this.#used.tokens += usage?.total ?? 0;
    this.#used.cost += usage?.cost ?? 0;
    if (event.type === "reasoning/conclusion" && event.path === undefined && !event.interrupted) this.#used.turns++;
  }

  #look(): void {
    const { rule, interrupt } = this.#options;
    if (!this.#isOn || !this.#isUsed() || !this.#time.isOver || !this.#time.isStalled) return;
    const turn = this.#turns.find();
    if (this.#turns.isAsked && turn === undefined) return;
    this.#end();
    this.#hasFired = true;
    const { severity, grace, reason, name: by = WATCH, scope } = rule;
    interrupt(
      { severity, grace, reason, by },
      scope === "participant" && turn?.isMember ? turn.participant : undefined,
    );
  }

  #isUsed(): boolean {
    const { turns = 0, tokens = 0, cost = 0 } = this.#options.rule.when;
    return this.#used.turns >= turns && this.#used.tokens >= tokens && this.#used.cost >= cost;
  }
}
