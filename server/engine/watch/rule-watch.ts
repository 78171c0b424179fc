import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptRule } from "../../../shared/contract/interrupt-rule.ts";
import { usageOf } from "../../../shared/state/reducer.ts";
import type { Upcoming } from "../log/upcoming.ts";
import type { Matching } from "../pattern/work.ts";
import type { InterruptOptions } from "../requests.ts";
import type { Timers } from "../timers.ts";
import type { CallTexts } from "./call-texts.ts";
import { RunningTime } from "./running-time.ts";
import type { RestoreStopped } from "./stopped-turns.ts";
import { type WatchedTurn, WatchedTurns } from "./watched-turns.ts";

/** The `by` of an interrupt requested by a rule without a name. */
export const DEFAULT_WATCH_NAME = "watch";

export interface RuleWatchOptions {
  readonly rule: InterruptRule;
  readonly timers: Timers;
  /** True for a participant of the team at that path, relative to the team that has the rule. */
  readonly isMember: (name: string, path: readonly string[]) => boolean;
  /** Shared by all rules. */
  readonly callTexts: CallTexts;
  readonly restoreStopped: RestoreStopped;
  /** Interrupts the run, or only one turn. */
  readonly interrupt: (
    options: Omit<InterruptOptions, "scope">,
    turn: Pick<WatchedTurn, "participant" | "path"> | undefined,
  ) => void;
}

/** The turns, tokens and cost of a run. */
interface RunUsage {
  turns: number;
  tokens: number;
  cost: number;
}

/** True for a turn that was not cut short. */
const hasEnded = ({ interrupted, complete }: Extract<TeamEvent, { type: "reasoning/conclusion" }>): boolean =>
  !interrupted || complete === true;

const noUsage = (): RunUsage => ({ turns: 0, tokens: 0, cost: 0 });

/**
 * Watches one team with one rule, which fires once per run, when all its conditions hold at the same time. The usage of a
 * run that waited for decisions on tool calls is carried over to the run that continues it.
 */
export class RuleWatch {
  readonly #options: RuleWatchOptions;
  readonly #turns: WatchedTurns;
  readonly #time: RunningTime;
  #usage = noUsage();
  #isWatching = false;
  #hasFired = false;

  constructor(options: RuleWatchOptions) {
    const { rule, timers, isMember, callTexts } = options;
    const { message, tool, participant, seconds, stall, ...amounts } = rule.when;
    this.#options = options;
    // What a rule on amounts has stopped is not known after a restart.
    const isTurnRule = seconds === undefined && stall === undefined && Object.keys(amounts).length === 0;
    const restoreStopped = isTurnRule ? options.restoreStopped : undefined;
    this.#turns = new WatchedTurns({ watched: rule.when, isMember, callTexts, restoreStopped });
    const onTime = (): void => this.#check();
    this.#time = new RunningTime({ seconds, stallSeconds: stall?.seconds, timers, onTime });
  }

  /** The work of testing what is about to be recorded. Once it is done, {@link onEvent} knows the result. */
  matchings(upcoming: Upcoming): readonly Matching[] {
    return this.#turns.matchings(upcoming);
  }

  /** Processes an event of the team or of a nested team. */
  onEvent(event: TeamEvent): void {
    this.#turns.onEvent(event);
    const isOwn = event.path === undefined;
    if (isOwn && event.type === "run/started") this.#start(event.cause !== "tools" || this.#hasFired);
    else if (isOwn && event.type === "run/ended") this.#end();
    if (!this.#isWatching) return;
    this.#time.onActivity();
    this.#count(event);
    this.#check();
  }

  #start(isNew: boolean): void {
    if (isNew) this.#usage = noUsage();
    this.#isWatching = true;
    this.#hasFired = false;
    this.#time.start(isNew);
  }

  #end(): void {
    this.#isWatching = false;
    this.#time.stop();
  }

  #count(event: TeamEvent): void {
    const usage = usageOf(event);
    this.#usage.tokens += usage?.total ?? 0;
    this.#usage.cost += usage?.cost ?? 0;
    if (event.type === "reasoning/conclusion" && event.path === undefined && hasEnded(event)) this.#usage.turns++;
  }

  #check(): void {
    const { rule, interrupt } = this.#options;
    if (!this.#isWatching || !this.#isUsageReached() || !this.#time.isOver || !this.#time.isStalled) return;
    const turn = this.#turns.findMatch();
    if (this.#turns.hasTurnTests && turn === undefined) return;
    this.#end();
    this.#hasFired = true;
    if (turn !== undefined) this.#turns.stop(turn);
    const { severity, grace, name: by = DEFAULT_WATCH_NAME, scope } = rule;
    interrupt(
      { severity, grace, reason: reasonOf(rule, turn), by },
      scope === "participant" && turn?.isMember ? turn : undefined,
    );
  }

  #isUsageReached(): boolean {
    const { turns = 0, tokens = 0, cost = 0 } = this.#options.rule.when;
    return this.#usage.turns >= turns && this.#usage.tokens >= tokens && this.#usage.cost >= cost;
  }
}

/** A rule that cannot be tested interrupts rather than leave the run unwatched. */
const reasonOf = ({ reason }: InterruptRule, turn: WatchedTurn | undefined): string =>
  turn?.isUntested === true
    ? `The text takes too long to match, so whether this rule applies is unknown; use a simpler regular expression. The rule: ${reason}`
    : reason;
