import type { Usage } from "../../../shared/contract/message.ts";
import type { SavedState, Spent } from "../../../shared/contract/saved-state.ts";
import { addUsage, NO_USAGE } from "../../../shared/state/team-state.ts";
import { type ConditionInput, inputUsage, isMessage, type RunEdge } from "./termination-condition.ts";

const NOTHING: Spent = { usage: NO_USAGE, turns: 0, seconds: 0 };

/** What conditions have counted since their reset, and how much of it a continued run has had granted again. */
interface Counted {
  readonly all: Spent;
  readonly granted: Spent;
}

/** What the input says was spent, beside the usage of its messages, as a saved state has it; undefined for nothing. */
export function spentIn(inputs: readonly ConditionInput[]): SavedState["spent"] {
  return toSaved(countedIn(inputs), usageOfAll(inputs));
}

/**
 * The state with at least as much spent as its conditions have counted in `now`, a later state of the same team: who goes
 * back in a thread does not get back what was spent.
 */
export function keepingSpent(state: SavedState, now: SavedState): SavedState {
  const [then, later] = [countedOf(state), countedOf(now)];
  const all = most(then.all, later.all);
  const open = most(less(then.all, then.granted), less(later.all, later.granted));
  const spent = toSaved({ all, granted: less(all, open) }, usageOfAll(countedMessages(state)));
  const { spent: _, inner, ...rest } = state;
  const within = (saved: SavedState, name: string): SavedState => {
    const later = now.inner?.[name];
    return later === undefined ? saved : keepingSpent(saved, later);
  };
  return {
    ...rest,
    ...(spent === undefined ? {} : { spent }),
    ...(inner === undefined
      ? {}
      : { inner: Object.fromEntries(Object.entries(inner).map(([name, saved]) => [name, within(saved, name)])) }),
  };
}

function countedIn(inputs: readonly ConditionInput[]): Counted {
  let all = NOTHING;
  let granted = NOTHING;
  let started: RunEdge | undefined;
  for (const input of inputs) {
    const usage = inputUsage(input);
    if (usage !== undefined) all = { ...all, usage: addUsage(all.usage, usage) };
    if (input.type === "TurnEnd") all = { ...all, turns: all.turns + 1 };
    if (input.type === "Carried") {
      all = { ...all, turns: all.turns + input.turns, seconds: all.seconds + input.seconds };
      granted = input.granted === undefined ? granted : plus(granted, input.granted);
    }
    if (input.type === "RunStarted") started = input;
    if (input.type !== "RunEnded") continue;
    if (started !== undefined) all = { ...all, seconds: all.seconds + secondsBetween(started, input) };
    started = undefined;
    if (input.renews) granted = all;
  }
  return { all, granted };
}

/** By the clock, which is what is stored. */
const secondsBetween = (start: RunEdge, end: RunEdge): number =>
  Math.max(0, Date.parse(end.at) - Date.parse(start.at)) / 1000;

function countedOf(state: SavedState): Counted {
  const { usage = NO_USAGE, turns = 0, seconds = 0, granted = NOTHING } = state.spent ?? {};
  return { all: { usage: addUsage(usageOfAll(countedMessages(state)), usage), turns, seconds }, granted };
}

/** The messages that the conditions of a saved team count. */
function countedMessages({ transcript, conditionMessages }: SavedState): ConditionInput[] {
  const messages = transcript.flatMap((entry) => (entry.kind === "message" ? entry.message : []));
  return messages.slice(Math.max(0, messages.length - conditionMessages));
}

const usageOfAll = (inputs: readonly ConditionInput[]): Usage =>
  inputs.reduce((sum, input) => (isMessage(input) ? addUsage(sum, input.usage) : sum), NO_USAGE);

function toSaved({ all, granted }: Counted, inMessages: Usage): SavedState["spent"] {
  const beside = less(all, { ...NOTHING, usage: inMessages });
  if (isNothing(beside) && isNothing(granted)) return undefined;
  return { ...beside, ...(isNothing(granted) ? {} : { granted }) };
}

const isNothing = ({ usage, turns, seconds }: Spent): boolean =>
  usage.total === 0 && (usage.cost ?? 0) === 0 && turns === 0 && seconds === 0;

const plus = (a: Spent, b: Spent): Spent => joined(a, b, (x, y) => x + y);
const most = (a: Spent, b: Spent): Spent => joined(a, b, Math.max);
/** Never below nothing. */
const less = (a: Spent, b: Spent): Spent => joined(a, b, (x, y) => Math.max(0, x - y));

function joined(a: Spent, b: Spent, join: (x: number, y: number) => number): Spent {
  return {
    usage: joinedUsage(a.usage, b.usage, join),
    turns: join(a.turns, b.turns),
    seconds: join(a.seconds, b.seconds),
  };
}

function joinedUsage(a: Usage, b: Usage, join: (x: number, y: number) => number): Usage {
  const cost = a.cost === undefined && b.cost === undefined ? {} : { cost: join(a.cost ?? 0, b.cost ?? 0) };
  return {
    prompt: join(a.prompt, b.prompt),
    completion: join(a.completion, b.completion),
    total: join(a.total, b.total),
    ...cost,
    ...(a.estimated === true || b.estimated === true ? { estimated: true as const } : {}),
  };
}
