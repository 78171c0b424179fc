import type { TeamEvent } from "./contract/event.ts";
import type { ChatMessage } from "./contract/message.ts";
import type { ParticipantActivity, ParticipantInfo, PendingTool } from "./contract/team.ts";
import { firstLine, textOf } from "./message-text.ts";
import { HOST_STOPPED, StopReason } from "./stop-reasons.ts";
import { addUsage, NO_USAGE, NOTHING_YET, type OpenCall, SNAPSHOT_THREAD, type TeamState } from "./team-state.ts";

/** Counts the changes to what this fold makes of events. A state that was kept by another version is folded anew. */
export const REDUCER_VERSION = 1;

type WhyPending = Pick<PendingTool, "interrupt" | "approval">;
type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;
type Handlers = { readonly [T in TeamEvent["type"]]: (state: TeamState, event: EventOf<T>) => TeamState };

/**
 * A team's state after one more event. Pure, and the same function in the host, the client and the page; an event that does
 * not fit (a chunk of a message that is closed, the result of a call that has one) leaves the state as it was.
 */
export function reduceTeam(state: TeamState, event: TeamEvent): TeamState {
  const handle = handlers[event.type] as (state: TeamState, event: TeamEvent) => TeamState;
  const next = handle(state, event);
  return "seq" in event ? { ...next, lastSeq: event.seq } : next;
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
    const { unanswered, ...kept } = state;
    return {
      ...(event.resets ? kept : state),
      run: null,
      streaming: [],
      status: awaiting ? "awaitingTools" : event.resets || event.status.code === "error" ? "idle" : "paused",
      interrupted: event.stopReason === StopReason.userInterrupt || event.status.reason === HOST_STOPPED,
      lastStop: event.stopReason,
      ...(event.resets ? { turn: 0, conditionMessages: 0 } : {}),
      participants: state.participants.map((participant) =>
        participant.activity === "idle" || participant.activity === "awaitingTools"
          ? participant
          : { ...participant, activity: "idle" as const },
      ),
    };
  },

  "speaker/selected": ({ unanswered, ...state }, { participants, directed }) => ({
    ...state,
    selected: { participants, ...(directed === undefined ? {} : { directed }) },
  }),

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

  "message/added": (state, { message }) => ({
    ...state,
    ...withMessage(state, message),
    streaming: state.streaming.filter(({ messageId }) => messageId !== message.id),
    conditionMessages: state.conditionMessages + 1,
    ...withUsage(state, message.usage),
  }),

  "tool/requested": (state, { participant, calls, usage }) => ({
    ...withActivity(state, participant, "usingTools"),
    // What was said beside the calls stands with them; its stream is closed.
    streaming: state.streaming.filter(({ source }) => source !== participant),
    calls: [...state.calls, ...calls.map((call): OpenCall => ({ ...call, participant, started: false }))],
    ...withUsage(state, usage),
  }),

  "tool/started": (state, { ref }) => ({
    ...state,
    calls: state.calls.map((call) => (call.ref === ref ? { ...call, started: true } : call)),
  }),

  "tool/output": unchanged,

  "tool/executed": (state, { ref, participant }) => {
    const calls = state.calls.filter((call) => call.ref !== ref);
    const busy = calls.some((call) => call.participant === participant);
    const turning = state.openTurns.some((turn) => turn.participant === participant);
    return {
      ...(busy || !turning ? state : withActivity(state, participant, "thinking")),
      calls,
      pendingTools: state.pendingTools.filter((call) => call.ref !== ref),
    };
  },

  "tool/abandoned": (state, { ref }) => ({
    ...state,
    calls: state.calls.map((call) => (call.ref === ref ? { ...call, abandoned: true as const } : call)),
  }),

  "tool/interrupted": (state, { ref, name, participant, input, interrupt, approval }) => ({
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
    return {
      ...withActivity(state, participant, "usingTools"),
      pendingTools: state.pendingTools.filter((other) => other.ref !== ref),
      calls: [...state.calls, call],
    };
  },

  handoff: unchanged,

  "userMessage/queued": (state, { id, to, messages, delivery }) => ({
    ...state,
    queued: [...state.queued, { id, to, messages, delivery }],
  }),
  "userMessage/delivered": (state, { id }) => ({
    ...state,
    queued: state.queued.filter((message) => message.id !== id),
  }),
  "userMessage/answered": unchanged,

  "interrupt/requested": (state) => (state.status === "running" ? { ...state, status: "interrupting" } : state),
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
    return {
      ...withActivity(state, turn.participant, "idle"),
      openTurns: state.openTurns.filter(({ id }) => id !== turn.id),
      ...(interrupted ? {} : { turn: state.turn + 1 }),
      ...(interrupted || turn.directed ? {} : { lastSpeaker: turn.participant }),
      ...(interrupted && turn.directed
        ? { unanswered: { participant: turn.participant, directed: turn.directed } }
        : {}),
    };
  },

  "model/retry": unchanged,

  "team/reset": (state) => ({
    ...emptied(state),
    participants: state.participants.map(({ lastLine, ...participant }) => ({
      ...participant,
      activity: "idle" as const,
    })),
  }),

  "state/loaded": (state, { state: saved }) => {
    let said = emptied(state);
    for (const entry of saved.transcript) {
      if (entry.kind === "message") said = { ...said, ...withMessage(said, entry.message) };
    }
    return {
      ...said,
      status: saved.pendingTools.length > 0 ? "awaitingTools" : saved.interrupted || saved.turn > 0 ? "paused" : "idle",
      interrupted: saved.interrupted,
      ...(saved.lastStop === undefined ? {} : { lastStop: saved.lastStop }),
      pendingTools: saved.pendingTools,
      queued: saved.queued,
      openTurns: saved.openTurns,
      lastSpeaker: saved.lastSpeaker,
      turn: saved.turn,
      usage: saved.usage,
      conditionMessages: saved.conditionMessages,
    };
  },

  error: unchanged,
};

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

function withUsage(state: TeamState, usage: ChatMessage["usage"]): Partial<TeamState> {
  if (usage === undefined) return {};
  return {
    usage: addUsage(state.usage, usage),
    ...(state.run === null ? {} : { run: { ...state.run, usage: addUsage(state.run.usage, usage) } }),
  };
}

function emptied(state: TeamState): TeamState {
  const { lastStop, unanswered, ...kept } = state;
  return { ...kept, ...NOTHING_YET };
}
