import type { TeamEvent } from "../contract/event.ts";
import type { Usage } from "../contract/message.ts";
import { ownValue } from "../json-record.ts";
import { commandHandlers } from "./command-handlers.ts";
import { contextHandlers } from "./context-handlers.ts";
import type { Handlers } from "./handlers.ts";
import { messageHandlers, withoutQueued } from "./message-handlers.ts";
import { runHandlers } from "./run-handlers.ts";
import { withOpenTurns, withPausedStatus, withUsage } from "./state-changes.ts";
import type { TeamState } from "./team-state.ts";
import { toolHandlers } from "./tool-handlers.ts";
import { turnHandlers } from "./turn-handlers.ts";

/** Increased when the fold of the same events changes. A stored state of another version is folded again. */
export const REDUCER_VERSION = 7;

/**
 * A team's state after one more event. Pure, and the same function in the host, the client and the page. An event that does
 * not fit (a chunk of a closed message, a second result of a call) does not change the state.
 */
export function reduceTeam(state: TeamState, event: TeamEvent): TeamState {
  const next = event.path === undefined ? reduceOwn(state, event) : reduceInner(state, event, event.path);
  return "seq" in event ? { ...next, lastSeq: event.seq } : next;
}

function reduceOwn(state: TeamState, event: TeamEvent): TeamState {
  const handle = handlers[event.type] as (state: TeamState, event: TeamEvent) => TeamState;
  return handle(state, event);
}

/** An event of a nested team also changes the pending calls and the usage of the team around it. */
function reduceInner(state: TeamState, event: TeamEvent, [name, ...rest]: readonly string[]): TeamState {
  const before = name === undefined ? undefined : ownValue(state.inner, name);
  if (name === undefined || before === undefined) return state;
  const after = reduceTeam(before, eventWithin(event, rest));
  const pendingTools =
    after.pendingTools === before.pendingTools
      ? state.pendingTools
      : [
          ...state.pendingTools.filter(({ path }) => path?.[0] !== name),
          ...after.pendingTools.map((call) => ({ ...call, path: [name, ...(call.path ?? [])] })),
        ];
  const usage = usageOf(event);
  const changed = withPausedStatus({ ...state, pendingTools, inner: { ...state.inner, [name]: after } });
  const next = withUsage(changed, usage, name);
  // A message to a participant within waits in the outermost team, and is delivered in the nested one.
  if (event.type === "userMessage/delivered") return withoutQueued(next, event);
  if (rest.length > 0 || !endsWaiting(event)) return next;
  return withOpenTurns(
    next,
    next.openTurns.map(({ awaits, ...turn }) =>
      turn.participant === name || awaits === undefined ? turn : { ...turn, awaits },
    ),
  );
}

/**
 * True for an event of a nested team after which it does not wait for the user any more: it runs again, except for who
 * answers a message of the user, or its run has ended for good.
 */
const endsWaiting = (event: TeamEvent): boolean =>
  event.type === "run/started" ? event.cause !== "userMessage" : event.type === "run/ended" && event.resets === true;

/** The same event as seen by the nested team that `rest` is relative to. */
export function eventWithin<E extends TeamEvent>({ path, ...event }: E, rest: readonly string[]): E {
  return (rest.length === 0 ? event : { ...event, path: [...rest] }) as E;
}

/** A team's state with what an event has spent, and nothing else of it. */
export function withSpending(state: TeamState, event: TeamEvent): TeamState {
  const usage = usageOf(event);
  const [name, ...rest] = event.path ?? [];
  if (usage === undefined) return state;
  if (name === undefined) return withUsage(state, usage, spenderOf(event));
  const inner = ownValue(state.inner, name);
  const next = withUsage(state, usage, name);
  if (inner === undefined) return next;
  return { ...next, inner: { ...state.inner, [name]: withSpending(inner, eventWithin(event, rest)) } };
}

function spenderOf(event: TeamEvent): string {
  switch (event.type) {
    case "message/added":
      return event.message.source;
    case "tool/requested":
      return event.participant;
    case "model/asked":
      return event.by;
    default:
      return "";
  }
}

/** The usage that an event reports. */
export function usageOf(event: TeamEvent): Usage | undefined {
  switch (event.type) {
    case "message/added":
      return event.message.usage;
    case "tool/requested":
    case "model/asked":
      return event.usage;
    default:
      return undefined;
  }
}

const handlers: Handlers<TeamEvent["type"]> = {
  ...commandHandlers,
  ...contextHandlers,
  ...runHandlers,
  ...turnHandlers,
  ...messageHandlers,
  ...toolHandlers,
};
