import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { GavelError, messageOf } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptRule } from "../../../shared/contract/interrupt-rule.ts";
import type { RootLedger } from "../log/ledger.ts";
import { eventForNested } from "../log/nested-event.ts";
import type { Upcoming } from "../log/upcoming.ts";
import { pathField } from "../paths.ts";
import { runMatchings } from "../pattern/work.ts";
import type { InterruptOptions } from "../requests.ts";
import type { Team } from "../team/team.ts";
import { systemTimers, type Timers } from "../timers.ts";
import { CallTexts } from "./call-texts.ts";
import { CutTurns } from "./cut-turns.ts";
import { DEFAULT_WATCH_NAME, RuleWatch } from "./rule-watch.ts";
import type { WatchFunction } from "./watch-function.ts";

export interface WatchOptions {
  readonly definition: TeamDefinition;
  /** The team's ledger: rules are tested with its texts before these are recorded. */
  readonly ledger: Pick<RootLedger, "prepareWith">;
  /** A watch function, in addition to the rules of the definition. */
  readonly watch?: WatchFunction | undefined;
  readonly timers?: Timers | undefined;
}

/** Interrupts `team` by the rules of its definition and of its nested teams, and by a watch function. */
export function watchTeam(team: Team, { definition, ledger, watch, timers = systemTimers }: WatchOptions): void {
  const interrupt = (options: InterruptOptions): void => {
    // A team that is already at rest needs no interrupt. A run whose watch gives wrong options is not left unwatched.
    team.interrupt({ ...options, rule: true }).catch((error: unknown) => {
      if (isRefusal(error)) interrupt({ by: options.by, reason: `The watch failed: ${error.message}` });
    });
  };
  const callTexts = new CallTexts();
  const cutTurns = new CutTurns(team);
  const watches = rulesIn(definition).map(({ rule, path }) => {
    const own = teamAt(definition, path);
    const watching = new RuleWatch({
      rule,
      timers,
      callTexts,
      restoreStopped: (turn) => cutTurns.callsBefore({ ...turn, path: [...path, ...(turn.path ?? [])] }),
      isMember: (name, inner) => own !== undefined && isMember(own, name, inner),
      interrupt: (options, turn) => {
        const place = turn === undefined ? path : [...path, ...turn.path, turn.participant];
        const participant = place.at(-1);
        // `reset` clears the thread of the whole team, so it has no scope.
        const isWhole = participant === undefined || options.severity === "reset";
        interrupt(isWhole ? options : { ...options, scope: { participant, ...pathField(place.slice(0, -1)) } });
      },
    });
    team.onEvent((event) => {
      const seen = eventAt(path, event);
      if (seen !== undefined) watching.onEvent(seen);
    });
    return { watching, path };
  });
  ledger.prepareWith((upcoming, signal) => {
    const matchings = watches.flatMap(({ watching, path }) => {
      const seen = upcomingAt(path, upcoming);
      return seen === undefined ? [] : watching.matchings(seen);
    });
    return matchings.length === 0 ? undefined : runMatchings(matchings, signal);
  });
  if (watch !== undefined) team.onEvent((event) => callWatch(watch, event, team, interrupt));
}

/**
 * Calls a watch function with an event of a run. If the function throws, the run is interrupted rather than left unwatched.
 */
function callWatch(
  watch: WatchFunction,
  event: TeamEvent,
  team: Team,
  interrupt: (options: InterruptOptions) => void,
): void {
  if (team.state.run === null || event.type.startsWith("interrupt/")) return;
  try {
    const options = watch(event, team);
    if (options !== undefined) interrupt({ by: DEFAULT_WATCH_NAME, ...options });
  } catch (error) {
    interrupt({ by: DEFAULT_WATCH_NAME, reason: `The watch function failed: ${messageOf(error)}` });
  }
}

/** True when an interrupt was refused for its options: nothing was stopped. */
const isRefusal = (error: unknown): error is GavelError =>
  error instanceof GavelError && (error.data.code === "InvalidParams" || error.data.code === "UnknownParticipant");

interface PlacedRule {
  readonly rule: InterruptRule;
  /** The path of participants that leads to the team with the rule. */
  readonly path: readonly string[];
}

function rulesIn({ interrupts = [], participants }: TeamDefinition, path: readonly string[] = []): PlacedRule[] {
  return [
    ...interrupts.map((rule) => ({ rule, path })),
    ...participants.flatMap(({ name, team }) => (team === undefined ? [] : rulesIn(team, [...path, name]))),
  ];
}

/** An event as the team at `path` sees it; undefined if it does not concern that team. */
function eventAt(path: readonly string[], event: TeamEvent): TeamEvent | undefined {
  return path.reduce<TeamEvent | undefined>((seen, name) => seen && eventForNested(name, seen), event);
}

/** What is about to be recorded, as the team at `path` sees it; undefined if it is outside that team. */
function upcomingAt(path: readonly string[], { path: place = [], ...upcoming }: Upcoming): Upcoming | undefined {
  if (path.some((name, at) => place[at] !== name)) return undefined;
  const rest = place.slice(path.length);
  return rest.length === 0 ? upcoming : { ...upcoming, path: rest };
}

function teamAt(definition: TeamDefinition, path: readonly string[]): TeamDefinition | undefined {
  return path.reduce<TeamDefinition | undefined>(
    (team, name) => team?.participants.find((participant) => participant.name === name)?.team,
    definition,
  );
}

const isMember = (definition: TeamDefinition, name: string, path: readonly string[]): boolean =>
  teamAt(definition, path)?.participants.some((participant) => participant.name === name) ?? false;
