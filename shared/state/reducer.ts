import type { TeamEvent } from "../contract/event.ts";
import type { ChatMessage, Usage } from "../contract/message.ts";
import { firstLine, textOf } from "../contract/message-text.ts";
import type { OpenTurn, SavedState } from "../contract/saved-state.ts";
import { HOST_STOPPED, StopReason } from "../contract/stop-reasons.ts";
import type { ParticipantActivity, ParticipantInfo, PendingTool } from "../contract/team.ts";
import { withDropped, withEdited } from "./cut-message.ts";
import {
  addUsage,
  mapValues,
  NO_USAGE,
  NOTHING_YET,
  type OpenCall,
  SNAPSHOT_THREAD,
  type TeamState,
} from "./team-state.ts";

/** Counts the changes to what this fold makes of events. A state that was kept by another version is folded anew. */
export const REDUCER_VERSION = 2;

type WhyPending = Pick<PendingTool, "interrupt" | "approval">;
type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;
type Handlers = { readonly [T in TeamEvent["type"]]: (state: TeamState, event: EventOf<T>) => TeamState };

/**
 * A team's state after one more event. Pure, and the same function in the host, the client and the page; an event that does
 * not fit (a chunk of a message that is closed, the result of a call that has one) leaves the state as it was.
 */
export function reduceTeam(state: TeamState, event: TeamEvent): TeamState {
  const next = event.path === undefined ? reduceOwn(state, event) : reduceInner(state, event, event.path);
  return "seq" in event ? { ...next, lastSeq: event.seq } : next;
}

function reduceOwn(state: TeamState, event: TeamEvent): TeamState {
  const handle = handlers[event.type] as (state: TeamState, event: TeamEvent) => TeamState;
  return handle(state, event);
}

/** An event of a nested team: of the team around it, it changes what is seen at the root, the pending calls and the usage. */
function reduceInner(state: TeamState, event: TeamEvent, [name, ...rest]: readonly string[]): TeamState {
  const before = name === undefined ? undefined : state.inner?.[name];
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
  const next = withUsage({ ...state, pendingTools, inner: { ...state.inner, [name]: after } }, usage, name);
  if (event.type !== "run/started" || rest.length > 0) return next;
  // The team goes on, so it waits for the user no longer.
  return withOpenTurns(
    next,
    next.openTurns.map(({ awaits, ...turn }) =>
      turn.participant === name || awaits === undefined ? turn : { ...turn, awaits },
    ),
  );
}

/** The same event as a team further down the path sees it. */
export function eventWithin<E extends TeamEvent>({ path, ...event }: E, rest: readonly string[]): E {
  return (rest.length === 0 ? event : { ...event, path: [...rest] }) as E;
}

/** What an event says that was spent. */
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

const unchanged = (state: TeamState): TeamState => state;

const handlers: Handlers = {
  "run/started": (state, event) => ({
    ...state,
    status: "running",
    interrupted: false,
    run: { runId: event.runId ?? "", usage: NO_USAGE, threadStart: state.threadLength },
  }),

  "run/ended": (state, event) => {
    const awaiting = state.pendingTools.length > 0;
    const { unanswered, note, due, ...kept } = state;
    return {
      ...(event.resets ? kept : state),
      run: null,
      streaming: [],
      status: awaiting ? "awaitingTools" : event.resets || event.status.code === "error" ? "idle" : "paused",
      interrupted: event.stopReason === StopReason.userInterrupt || event.status.reason === HOST_STOPPED,
      lastStop: event.stopReason,
      ...(event.resets ? { turn: 0, conditionMessages: 0 } : {}),
      participants: (event.resets ? state.participants.map(withoutTurns) : state.participants).map((participant) =>
        participant.activity === "idle" || participant.activity === "awaitingTools"
          ? participant
          : { ...participant, activity: "idle" as const },
      ),
    };
  },

  "speaker/selected": ({ unanswered, ...state }, { participants, directed, note }) => ({
    ...state,
    selected: { participants, ...(directed === undefined ? {} : { directed }) },
    ...(note === undefined ? {} : { note }),
  }),

  "manager/noted": (state, { note }) => ({ ...state, note }),

  "model/asked": (state, { by, usage }) =>
    withUsage({ ...state, asked: { ...state.asked, [by]: (state.asked?.[by] ?? 0) + 1 } }, usage, by),

  "message/started": (state, { messageId, source }) => ({
    ...withActivity(state, source, "speaking"),
    streaming: [...state.streaming, { messageId, source, text: "" }],
  }),

  "message/chunk": (state, { messageId, delta }) => {
    if (!state.streaming.some((message) => message.messageId === messageId)) return state;
    return {
      ...state,
      streaming: state.streaming.map((message) =>
        message.messageId === messageId ? { ...message, text: message.text + delta } : message,
      ),
    };
  },

  "message/added": (state, { message }) => {
    const { source, usage } = message;
    const openTurns = message.partial
      ? state.openTurns
      : state.openTurns.map((turn) => (turn.participant === source ? { ...turn, said: true as const } : turn));
    const streaming = state.streaming.filter(({ messageId }) => messageId !== message.id);
    const conditionMessages = state.conditionMessages + 1;
    const next = { ...state, ...withMessage(state, message), openTurns, streaming, conditionMessages };
    return withUsage(next, usage, source);
  },

  "message/edited": (state, { messageId, content }) => withEdited(state, messageId, content),
  "message/dropped": (state, { messageId, fromEnd }) => withDropped(state, messageId, fromEnd),

  "tool/requested": (state, { participant, calls, usage }) => {
    const next = {
      ...withActivity(state, participant, "usingTools"),
      // What was said beside the calls stands with them; its stream is closed.
      streaming: state.streaming.filter(({ source }) => source !== participant),
      calls: [...state.calls, ...calls.map((call): OpenCall => ({ ...call, participant, started: false }))],
    };
    return withUsage(next, usage, participant);
  },

  "tool/started": (state, { ref }) => ({
    ...state,
    calls: state.calls.map((call) => (call.ref === ref ? { ...call, started: true } : call)),
  }),

  "tool/output": unchanged,

  "tool/executed": (state, { ref, participant }) => {
    const calls = state.calls.filter((call) => call.ref !== ref);
    const busy = calls.some((call) => call.participant === participant);
    const turning = state.openTurns.some((turn) => turn.participant === participant);
    return waiting({
      ...(busy || !turning ? state : withActivity(state, participant, "thinking")),
      calls,
      pendingTools: state.pendingTools.filter((call) => call.ref !== ref),
    });
  },

  "tool/abandoned": (state, { ref }) => ({
    ...state,
    calls: state.calls.map((call) => (call.ref === ref ? { ...call, abandoned: true as const } : call)),
  }),

  "tool/interrupted": (state, { ref, name, participant, input, interrupt, approval }) =>
    waiting({
      ...withActivity(state, participant, "awaitingTools"),
      calls: state.calls.filter((call) => call.ref !== ref),
      pendingTools: [
        ...state.pendingTools.filter((call) => call.ref !== ref),
        {
          ref,
          name,
          participant,
          input,
          ...why({ interrupt, approval }),
        },
      ],
    }),

  // What the user gave in the tool's place comes with the result; until then the call waits.
  "tool/resolved": (state, { ref, how, input }) => {
    const pending = state.pendingTools.find((call) => call.ref === ref);
    if (pending === undefined || how !== "restart") return state;
    const { name, participant, input: proposed, ...asked } = pending;
    const call: OpenCall = { ref, name, participant, input: input ?? proposed, started: false, asked: why(asked) };
    return waiting({
      ...withActivity(state, participant, "usingTools"),
      pendingTools: state.pendingTools.filter((other) => other.ref !== ref),
      calls: [...state.calls, call],
    });
  },

  handoff: (state, { to }) => ({ ...state, handoffTo: to }),

  "memory/added": (state, { participant, text }) => ({
    ...state,
    memories: { ...state.memories, [participant]: [...(state.memories?.[participant] ?? []), text] },
  }),

  "userMessage/queued": (state, { type, seq, at, runId, path, ...message }) => ({
    ...state,
    queued: [...state.queued, message],
  }),
  "userMessage/edited": (state, { id, messages }) => ({
    ...state,
    queued: state.queued.map((message) => (message.id === id ? { ...message, messages } : message)),
  }),
  "userMessage/reordered": (state, { ids }) => ({
    ...state,
    queued: [...state.queued].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
  }),
  "userMessage/withdrawn": withoutQueued,
  "userMessage/delivered": (state, event) => ({
    ...withoutQueued(state, event),
    due: [...(state.due ?? []), { id: event.id, to: event.to }],
  }),
  "userMessage/answered": ({ due = [], ...state }, { id }) => {
    const left = due.filter((message) => message.id !== id);
    return left.length === 0 ? state : { ...state, due: left };
  },

  // An interrupt of a part leaves the run going until that part has stopped.
  "interrupt/requested": (state, { scope }) =>
    state.status === "running" && scope === undefined ? { ...state, status: "interrupting" } : state,
  "interrupt/acknowledged": unchanged,
  "interrupt/completed": unchanged,

  "reasoning/start": (state, { id, from }) => ({
    ...withActivity(state, from, "thinking"),
    openTurns: [
      ...state.openTurns,
      {
        id,
        participant: from,
        ...(state.selected.directed === undefined ? {} : { directed: state.selected.directed }),
      },
    ],
  }),
  "reasoning/thought": unchanged,
  "reasoning/conclusion": (state, { correlation_id, interrupted }) => {
    const turn = state.openTurns.find(({ id }) => correlation_id.includes(id));
    if (turn === undefined) return state;
    const done = interrupted || turn.directed ? undefined : turn.participant;
    return {
      ...withOpenTurns(
        withActivity(state, turn.participant, "idle"),
        state.openTurns.filter(({ id }) => id !== turn.id),
      ),
      ...(interrupted ? {} : { turn: state.turn + 1 }),
      ...(done === undefined ? {} : { lastSpeaker: done, participants: withTurn(state.participants, done) }),
      ...(interrupted && turn.directed
        ? { unanswered: { participant: turn.participant, directed: turn.directed } }
        : {}),
    };
  },

  "reasoning/interrupt": unchanged,
  "reasoning/interrupt-ack": unchanged,

  "userInput/requested": (state, { participant, through }) =>
    withOpenTurns(
      state,
      state.openTurns.map((turn) =>
        turn.participant === (through?.[0] ?? participant)
          ? { ...turn, awaits: { participant, ...(through === undefined ? {} : { path: through }) } }
          : turn,
      ),
    ),

  "model/retry": unchanged,

  "team/reset": reset,

  "state/loaded": (state, { state: saved }) => loaded(state, saved),

  error: unchanged,
};

function loaded(state: TeamState, saved: SavedState): TeamState {
  let said = emptied(state);
  for (const entry of saved.transcript) {
    if (entry.kind === "message") said = { ...said, ...withMessage(said, entry.message) };
  }
  const { lastStop, handoffTo, note, memories, unanswered, awaitingUser, turns = {}, usages = {} } = saved;
  return {
    ...said,
    status: saved.pendingTools.length > 0 ? "awaitingTools" : saved.interrupted || saved.turn > 0 ? "paused" : "idle",
    interrupted: saved.interrupted,
    ...(lastStop === undefined ? {} : { lastStop }),
    ...(handoffTo === undefined ? {} : { handoffTo }),
    ...(note === undefined ? {} : { note }),
    ...(memories === undefined ? {} : { memories }),
    ...(unanswered === undefined ? {} : { unanswered }),
    ...(awaitingUser === undefined ? {} : { awaitingUser }),
    ...(saved.due === undefined ? {} : { due: saved.due }),
    ...(saved.asked === undefined ? {} : { asked: saved.asked }),
    pendingTools: saved.pendingTools,
    queued: saved.queued,
    openTurns: saved.openTurns,
    lastSpeaker: saved.lastSpeaker,
    turn: saved.turn,
    usage: saved.usage,
    conditionMessages: saved.conditionMessages,
    participants: said.participants.map((participant) => {
      const taken = turns[participant.name];
      const spent = usages[participant.name];
      return {
        ...participant,
        ...(taken === undefined ? {} : { turns: taken }),
        ...(spent === undefined ? {} : { usage: spent }),
      };
    }),
    ...(state.inner === undefined ? {} : { inner: loadedInner(state.inner, saved.inner ?? {}) }),
  };
}

/** A nested team that the saved state does not know begins anew. */
function loadedInner(
  inner: Readonly<Record<string, TeamState>>,
  saved: Readonly<Record<string, SavedState>>,
): Record<string, TeamState> {
  return Object.fromEntries(
    Object.entries(inner).map(([name, state]) => {
      const own = saved[name];
      return [name, own === undefined ? reset(state) : loaded(state, own)];
    }),
  );
}

/** Whether a team that could be gone on with waits for rulings: a nested team may come to, or leave, that between its runs. */
function waiting(state: TeamState): TeamState {
  if (state.status !== "paused" && state.status !== "awaitingTools") return state;
  return { ...state, status: state.pendingTools.length > 0 ? "awaitingTools" : "paused" };
}

function withoutQueued(state: TeamState, { id }: { readonly id: string }): TeamState {
  return { ...state, queued: state.queued.filter((message) => message.id !== id) };
}

function why({ interrupt, approval }: WhyPending): WhyPending {
  return {
    ...(interrupt === undefined ? {} : { interrupt }),
    ...(approval === undefined ? {} : { approval }),
  };
}

function withMessage(
  state: TeamState,
  message: ChatMessage,
): Pick<TeamState, "thread" | "threadLength" | "participants"> {
  const kept = state.thread.length < SNAPSHOT_THREAD ? state.thread : state.thread.slice(1 - SNAPSHOT_THREAD);
  return {
    thread: [...kept, message],
    threadLength: state.threadLength + 1,
    participants: updated(state.participants, message.source, { lastLine: firstLine(textOf(message)) }),
  };
}

/** Whose turn the user has is that of the first open turn that waits for the user. */
function withOpenTurns({ awaitingUser, ...state }: TeamState, openTurns: readonly OpenTurn[]): TeamState {
  const awaits = openTurns.find((turn) => turn.awaits !== undefined)?.awaits;
  return { ...state, openTurns, ...(awaits === undefined ? {} : { awaitingUser: awaits }) };
}

function withActivity(state: TeamState, name: string, activity: ParticipantActivity): TeamState {
  return { ...state, participants: updated(state.participants, name, { activity }) };
}

function updated(
  participants: readonly ParticipantInfo[],
  name: string,
  change: Partial<ParticipantInfo>,
): ParticipantInfo[] {
  return participants.map((participant) => (participant.name === name ? { ...participant, ...change } : participant));
}

/** What `by` has spent counts for it, for the run and for the team. */
function withUsage(state: TeamState, usage: Usage | undefined, by: string): TeamState {
  if (usage === undefined) return state;
  return {
    ...state,
    usage: addUsage(state.usage, usage),
    run: state.run && { ...state.run, usage: addUsage(state.run.usage, usage) },
    participants: state.participants.map((participant) =>
      participant.name === by ? { ...participant, usage: addUsage(participant.usage ?? NO_USAGE, usage) } : participant,
    ),
  };
}

const withoutTurns = ({ turns, ...participant }: ParticipantInfo): ParticipantInfo => participant;

function withTurn(participants: readonly ParticipantInfo[], name: string): ParticipantInfo[] {
  return participants.map((participant) =>
    participant.name === name ? { ...participant, activity: "idle", turns: (participant.turns ?? 0) + 1 } : participant,
  );
}

/** The team with nothing said yet, and the teams within it. */
function reset(state: TeamState): TeamState {
  return { ...emptied(state), ...(state.inner === undefined ? {} : { inner: mapValues(state.inner, reset) }) };
}

function emptied(state: TeamState): TeamState {
  const { lastStop, unanswered, due, handoffTo, note, asked, memories, awaitingUser, ...kept } = state;
  const participants = state.participants.map(({ lastLine, turns, usage, ...participant }) => ({
    ...participant,
    activity: "idle" as const,
  }));
  return { ...kept, ...NOTHING_YET, participants };
}
