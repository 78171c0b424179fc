import { ownValue } from "../json-record.ts";
import { withDropped, withEdited } from "./cut-message.ts";
import type { Handlers } from "./handlers.ts";
import { withActivity, withMessage, withUsage } from "./state-changes.ts";
import type { TeamState } from "./team-state.ts";

/** The thread, messages that are being streamed, and messages that wait to be delivered. */
export const messageHandlers: Handlers<
  | "message/started"
  | "message/chunk"
  | "message/added"
  | "message/edited"
  | "message/dropped"
  | "handoff"
  | "memory/added"
  | "plan/updated"
  | "userMessage/queued"
  | "userMessage/edited"
  | "userMessage/reordered"
  | "userMessage/withdrawn"
  | "userMessage/delivered"
  | "userMessage/answered"
> = {
  "message/started": (state, { messageId, source, model }) => ({
    ...withActivity(state, source, "speaking"),
    streaming: [...state.streaming, { messageId, source, text: "", ...(model === undefined ? {} : { model }) }],
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

  "message/added": ({ finishedAt, ...state }, { message }) => {
    const { source, usage, metadata } = message;
    // A message to one participant ends no turn of its sender.
    const isDirected = metadata?.["to"] !== undefined;
    const isTask = !isDirected && !state.openTurns.some(({ participant }) => participant === source);
    const openTurns =
      message.partial || isDirected
        ? state.openTurns
        : state.openTurns.map((turn) => (turn.participant === source ? { ...turn, said: true as const } : turn));
    const streaming = state.streaming.filter(({ messageId }) => messageId !== message.id);
    const conditionMessages = state.conditionMessages + 1;
    const finished = isTask || finishedAt === undefined ? {} : { finishedAt };
    const next = { ...state, ...finished, ...withMessage(state, message), openTurns, streaming, conditionMessages };
    return withUsage(next, usage, source);
  },

  "message/edited": (state, { messageId, content }) => withEdited(state, messageId, content),

  "message/dropped": (state, { messageId, fromEnd }) => withDropped(state, messageId, fromEnd),

  handoff: (state, { from, to }) => ({ ...state, handoffTo: to, handoffFrom: from }),

  "plan/updated": ({ plans = {}, ...state }, { participant, items, by }) => {
    const { [participant]: _, ...others } = plans;
    const plan = { items, ...(by === undefined ? {} : { editedBy: by }) };
    const all = items.length === 0 ? others : { ...others, [participant]: plan };
    return Object.keys(all).length === 0 ? state : { ...state, plans: all };
  },

  "memory/added": (state, { participant, text }) => ({
    ...state,
    memories: { ...state.memories, [participant]: [...(ownValue(state.memories, participant) ?? []), text] },
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

  // A message to the whole team has no one answer.
  "userMessage/delivered": (state, { id, to, seq }) => ({
    ...withoutQueued(state, { id }),
    ...(to === undefined ? {} : { due: [...(state.due ?? []), { id, to, seq }] }),
  }),

  "userMessage/answered": ({ due = [], ...state }, { id }) => {
    const left = due.filter((message) => message.id !== id);
    return left.length === 0 ? state : { ...state, due: left };
  },
};

/** The state without that waiting message. */
export function withoutQueued(state: TeamState, { id }: { readonly id: string }): TeamState {
  return { ...state, queued: state.queued.filter((message) => message.id !== id) };
}
