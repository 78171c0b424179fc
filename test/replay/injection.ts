import type { TeamEvent } from "../../shared/contract/event.ts";
import type { Grace, InterruptScope, Severity } from "../../shared/contract/team.ts";
import type { RecordedTeam } from "./recorded-team.ts";

/** One interrupt, as a client asks for it. */
export interface Cut {
  readonly scope?: InterruptScope;
  readonly severity: Severity;
  readonly grace: Grace;
}

/** What is done to a team from within one event of its run. */
export type Injection =
  /** `later` is how many turns of the microtask queue after the event it comes. */
  | { readonly kind: "interrupt"; readonly cut: Cut; readonly later?: number }
  /** The second comes from within the same event, or `gap` events later. */
  | { readonly kind: "twice"; readonly first: Cut; readonly second: Cut; readonly gap: number }
  | { readonly kind: "cancel" }
  /** The host dies when this event is kept; the team is opened again by another. */
  | { readonly kind: "death" }
  /** The host dies `gap` events after an interrupt. */
  | { readonly kind: "deathWhileInterrupted"; readonly cut: Cut; readonly gap: number }
  | {
      readonly kind: "message";
      readonly to: string;
      readonly text: string;
      readonly delivery: "now" | "queue" | "steer";
    };

/** One injection with its place: the index of the recorded event that it comes with. */
export interface Placed {
  readonly at: number;
  readonly injection: Injection;
}

const SEVERITIES: readonly Severity[] = ["pause", "stop", "reset"];
const GRACES: readonly Grace[] = ["now", "thought", "turn"];

const CUTS: readonly Omit<Cut, "scope">[] = SEVERITIES.flatMap((severity) =>
  GRACES.map((grace) => ({ severity, grace })),
);

/** The names that an interrupt's scope can have in this team. */
const membersOf = (events: readonly TeamEvent[]): string[] => [
  ...new Set(events.flatMap((event) => (event.type === "reasoning/start" ? [event.from] : []))),
];

/** Who is taking a turn at an event, in nested teams too. */
function speakersAt(events: readonly TeamEvent[], at: number): string[] {
  const speaking = new Set<string>();
  for (const [index, event] of events.entries()) {
    if (index > at) break;
    if (event.type === "reasoning/start") speaking.add(event.from);
    if (event.type === "reasoning/conclusion" && index < at) speaking.delete(event.from);
  }
  return [...speaking];
}

/** The calls that are open at an event: asked for by then, and without a result before it. */
function openCallsAt(events: readonly TeamEvent[], at: number): string[] {
  const open = new Set<string>();
  for (const [index, event] of events.entries()) {
    if (index > at) break;
    if (event.type === "tool/requested") for (const { ref } of event.calls) open.add(ref);
    if (event.type === "tool/executed" && index < at) open.delete(event.ref);
  }
  return [...open];
}

/**
 * All that is injected into a recording. The team is interrupted at every event in every way; for each speaker and each open
 * call, for one who is silent, and for what takes two steps, each event has one way in turn, so that all are seen over the events. `thorough` gives every scope
 * every way at every event.
 */
export function injectionsInto(team: RecordedTeam, events: readonly TeamEvent[], thorough: boolean): Placed[] {
  const members = membersOf(events);
  let turn = 0;
  const inTurn = <T>(all: readonly T[]): readonly T[] => (thorough ? all : all.slice(turn++ % all.length).slice(0, 1));
  return events.flatMap((_, at) => {
    const speaking = speakersAt(events, at);
    const silent = inTurn(members.filter((name) => !speaking.includes(name)));
    const scopes: InterruptScope[] = [
      ...[...speaking, ...silent].map((participant) => ({ participant })),
      ...openCallsAt(events, at).map((ref) => ({ ref })),
    ];
    const injections: Injection[] = [
      ...CUTS.map((cut): Injection => ({ kind: "interrupt", cut })),
      ...scopes.flatMap((scope) =>
        inTurn(CUTS).map((cut): Injection => ({ kind: "interrupt", cut: { scope, ...cut } })),
      ),
      ...inTurn([1, 2, 3, 5, 8, 13]).map(
        (later): Injection => ({ kind: "interrupt", cut: { severity: "pause", grace: "now" }, later }),
      ),
      ...inTurn(pairsOf(scopes)).map((pair): Injection => ({ kind: "twice", ...pair, gap: 0 })),
      ...inTurn(pairsOf(scopes)).map((pair): Injection => ({ kind: "twice", ...pair, gap: 1 + (at % 3) })),
      { kind: "cancel" },
      { kind: "death" },
      ...inTurn(CUTS.filter(({ severity }) => severity === "pause")).flatMap((cut) =>
        inTurn([1, 2, 3]).map((gap): Injection => ({ kind: "deathWhileInterrupted", cut, gap })),
      ),
      ...inTurn(team.asked).flatMap((to) => [
        { kind: "message" as const, to, text: "Mind the time.", delivery: "steer" as const },
        { kind: "message" as const, to, text: "Tell me: how far are you?", delivery: "queue" as const },
        { kind: "message" as const, to, text: "Tell me: what is it?", delivery: "now" as const },
      ]),
    ];
    return injections.map((injection) => ({ at, injection }));
  });
}

/** Every cut of the team with every other, and with those of one scope after the other. */
function pairsOf(scopes: readonly InterruptScope[]): { readonly first: Cut; readonly second: Cut }[] {
  const scoped = CUTS.flatMap((cut, nth): Cut[] => {
    const scope = scopes[nth % Math.max(1, scopes.length)];
    return scope === undefined ? [] : [{ scope, ...cut }];
  });
  const pairs = CUTS.flatMap((first) => [
    ...CUTS.filter((second) => second !== first).map((second) => ({ first, second })),
    ...scoped.flatMap((second) => [
      { first, second },
      { first: second, second: first },
    ]),
  ]);
  // Neighbours in the list differ little: a stride that shares no divisor with its length takes them in a mixed order.
  return pairs.map((_, at) => pairs[(at * 101) % pairs.length]).filter((pair) => pair !== undefined);
}

/** An injection in words, by which it can be asked for alone. */
export function describe(injection: Injection): string {
  switch (injection.kind) {
    case "interrupt":
      return `interrupt ${cutText(injection.cut)}${injection.later === undefined ? "" : ` after ${injection.later} microtasks`}`;
    case "twice":
      return `interrupt ${cutText(injection.first)}, then ${cutText(injection.second)} ${injection.gap} events later`;
    case "cancel":
      return "cancel";
    case "death":
      return "death of the host";
    case "deathWhileInterrupted":
      return `interrupt ${cutText(injection.cut)}, then death of the host ${injection.gap} events later`;
    case "message":
      return `message to ${injection.to}, ${injection.delivery}`;
  }
}

const cutText = ({ scope, severity, grace }: Cut): string => {
  const what = scope === undefined ? "team" : "ref" in scope ? `call ${scope.ref}` : `participant ${scope.participant}`;
  return `${what} ${severity} ${grace}`;
};
