import type { TeamEvent } from "../../shared/contract/event.ts";
import type { Grace, InterruptScope, Severity } from "../../shared/contract/team.ts";
import type { RecordedTeam } from "./recorded-team.ts";

/** The parameters of one interrupt. */
export interface InterruptSpec {
  readonly scope?: InterruptScope;
  readonly severity: Severity;
  readonly grace: Grace;
  /** Set if it takes the calls with it that wait for the user. */
  readonly waitingCalls?: "cancel";
}

/** What happens to a team during one event of its run. */
export type Injection =
  /** `later`: how many microtasks after the event. */
  | { readonly kind: "interrupt"; readonly interrupt: InterruptSpec; readonly later?: number }
  /** The second comes with the same event, or `gap` events later. */
  | {
      readonly kind: "twoInterrupts";
      readonly first: InterruptSpec;
      readonly second: InterruptSpec;
      readonly gap: number;
    }
  | { readonly kind: "cancel" }
  /** The host crashes when this event is stored; another host opens the team. */
  | { readonly kind: "crash" }
  /** The host crashes `gap` events after an interrupt. */
  | { readonly kind: "crashAfterInterrupt"; readonly interrupt: InterruptSpec; readonly gap: number }
  | {
      readonly kind: "message";
      readonly to: string;
      readonly text: string;
      readonly delivery: "now" | "queue" | "steer";
    };

/** One injection and the index of the recorded event that it comes with. */
export interface PlacedInjection {
  readonly at: number;
  readonly injection: Injection;
}

const SEVERITIES: readonly Severity[] = ["pause", "stop", "reset"];
const GRACES: readonly Grace[] = ["now", "thought", "turn"];

const INTERRUPTS: readonly Omit<InterruptSpec, "scope">[] = SEVERITIES.flatMap((severity) =>
  GRACES.map((grace) => ({ severity, grace })),
);

/** As a user interrupts, who takes the waiting calls along. */
const CANCELLING: InterruptSpec = { severity: "pause", grace: "now", waitingCalls: "cancel" };

/** Those that may have a scope: `reset` is for the whole team. */
const SCOPED = INTERRUPTS.filter(({ severity }) => severity !== "reset");

/** The participants that an interrupt's scope can name in this team. */
const membersOf = (events: readonly TeamEvent[]): string[] => [
  ...new Set(events.flatMap((event) => (event.type === "reasoning/start" ? [event.from] : []))),
];

/** The participants whose turn is open at an event, in nested teams too. */
function speakersAt(events: readonly TeamEvent[], at: number): string[] {
  const speakers = new Set<string>();
  for (const [index, event] of events.entries()) {
    if (index > at) break;
    if (event.type === "reasoning/start") speakers.add(event.from);
    if (event.type === "reasoning/conclusion" && index < at) speakers.delete(event.from);
  }
  return [...speakers];
}

/** The calls that are open at an event: requested by then, without a result before it. */
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
 * All injections for a recording. The team is interrupted at every event with every severity and grace. For each speaker,
 * each open call, one silent participant and each injection of two steps, every event uses the next variant, so that all
 * variants occur over the events. With `thorough`, every event uses every variant.
 */
export function injectionsInto(team: RecordedTeam, events: readonly TeamEvent[], thorough: boolean): PlacedInjection[] {
  const members = membersOf(events);
  let turn = 0;
  const rotate = <T>(all: readonly T[]): readonly T[] => (thorough ? all : all.slice(turn++ % all.length).slice(0, 1));
  return events.flatMap((_, at) => {
    const speakers = speakersAt(events, at);
    const silent = rotate(members.filter((name) => !speakers.includes(name)));
    const scopes: InterruptScope[] = [
      ...[...speakers, ...silent].map((participant) => ({ participant })),
      ...openCallsAt(events, at).map((ref) => ({ ref })),
    ];
    const injections: Injection[] = [
      ...INTERRUPTS.map((interrupt): Injection => ({ kind: "interrupt", interrupt })),
      ...scopes.flatMap((scope) =>
        rotate(SCOPED).map((interrupt): Injection => ({ kind: "interrupt", interrupt: { scope, ...interrupt } })),
      ),
      { kind: "interrupt", interrupt: CANCELLING },
      ...rotate([1, 2, 3, 5, 8, 13]).map((later): Injection => ({ kind: "interrupt", interrupt: CANCELLING, later })),
      ...rotate(scopes).map((scope): Injection => ({ kind: "interrupt", interrupt: { ...CANCELLING, scope } })),
      ...rotate([1, 2, 3]).map((gap): Injection => ({ kind: "crashAfterInterrupt", interrupt: CANCELLING, gap })),
      ...rotate([1, 2, 3, 5, 8, 13]).map(
        (later): Injection => ({ kind: "interrupt", interrupt: { severity: "pause", grace: "now" }, later }),
      ),
      ...rotate(pairsOf(scopes)).map((pair): Injection => ({ kind: "twoInterrupts", ...pair, gap: 0 })),
      ...rotate(pairsOf(scopes)).map((pair): Injection => ({ kind: "twoInterrupts", ...pair, gap: 1 + (at % 3) })),
      { kind: "cancel" },
      { kind: "crash" },
      ...rotate(INTERRUPTS.filter(({ severity }) => severity === "pause")).flatMap((interrupt) =>
        rotate([1, 2, 3]).map((gap): Injection => ({ kind: "crashAfterInterrupt", interrupt, gap })),
      ),
      ...rotate(team.messageTargets).flatMap((to) => [
        { kind: "message" as const, to, text: "Mind the time.", delivery: "steer" as const },
        { kind: "message" as const, to, text: "Tell me: how far are you?", delivery: "queue" as const },
        { kind: "message" as const, to, text: "Tell me: what is it?", delivery: "now" as const },
      ]),
    ];
    return injections.map((injection) => ({ at, injection }));
  });
}

/** Every interrupt of the team paired with every other, and with those of the scopes in turn. */
function pairsOf(
  scopes: readonly InterruptScope[],
): { readonly first: InterruptSpec; readonly second: InterruptSpec }[] {
  const scoped = SCOPED.flatMap((interrupt, nth): InterruptSpec[] => {
    const scope = scopes[nth % Math.max(1, scopes.length)];
    return scope === undefined ? [] : [{ scope, ...interrupt }];
  });
  const pairs = INTERRUPTS.flatMap((first) => [
    ...INTERRUPTS.filter((second) => second !== first).map((second) => ({ first, second })),
    ...scoped.flatMap((second) => [
      { first, second },
      { first: second, second: first },
    ]),
  ]);
  // Neighbours in the list are similar: a stride that is coprime to its length mixes them.
  return pairs.map((_, at) => pairs[(at * 101) % pairs.length]).filter((pair) => pair !== undefined);
}

/** An injection as text, by which it can be run alone. */
export function describeInjection(injection: Injection): string {
  switch (injection.kind) {
    case "interrupt":
      return `interrupt ${interruptText(injection.interrupt)}${injection.later === undefined ? "" : ` after ${injection.later} microtasks`}`;
    case "twoInterrupts":
      return `interrupt ${interruptText(injection.first)}, then ${interruptText(injection.second)} ${injection.gap} events later`;
    case "cancel":
      return "cancel";
    case "crash":
      return "crash of the host";
    case "crashAfterInterrupt":
      return `interrupt ${interruptText(injection.interrupt)}, then crash of the host ${injection.gap} events later`;
    case "message":
      return `message to ${injection.to}, ${injection.delivery}`;
  }
}

const interruptText = ({ scope, severity, grace, waitingCalls }: InterruptSpec): string => {
  const what = scope === undefined ? "team" : "ref" in scope ? `call ${scope.ref}` : `participant ${scope.participant}`;
  return `${what} ${severity} ${grace}${waitingCalls === undefined ? "" : " with waiting calls"}`;
};
