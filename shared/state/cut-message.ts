import type { ChatMessage } from "../contract/message.ts";
import { firstLine, textOf } from "../contract/message-text.ts";
import type { TeamState } from "./team-state.ts";

/** A partial message with new text. It stays partial, and is marked as edited. */
export const editedMessage = (message: ChatMessage, content: string): ChatMessage => ({
  ...message,
  content,
  metadata: { ...message.metadata, edited: true },
});

/** The state with that message edited, if the state still holds it. */
export function withEdited(state: TeamState, messageId: string, content: string): TeamState {
  const edited = state.thread.find(({ id }) => id === messageId);
  if (edited === undefined) return state;
  const thread = state.thread.map((message) => (message === edited ? editedMessage(message, content) : message));
  return { ...state, thread, participants: lastLines(state, edited.source, thread) };
}

/** The state without that message. `fromEnd` was its position from the thread's end, 1 for the last message. */
export function withDropped(state: TeamState, messageId: string, fromEnd: number): TeamState {
  const dropped = state.thread.find(({ id }) => id === messageId);
  const thread = state.thread.filter((message) => message !== dropped);
  return {
    ...state,
    thread,
    threadLength: state.threadLength - 1,
    conditionMessages: state.conditionMessages - (fromEnd <= state.conditionMessages ? 1 : 0),
    ...(dropped === undefined ? {} : { participants: lastLines(state, dropped.source, thread) }),
  };
}

/** The participants with the last line of `source` updated. */
function lastLines(
  { participants }: TeamState,
  source: string,
  thread: readonly ChatMessage[],
): TeamState["participants"] {
  const last = thread.findLast((message) => message.source === source);
  return participants.map((participant) => {
    if (participant.name !== source) return participant;
    const { lastLine, ...kept } = participant;
    return last === undefined ? kept : { ...kept, lastLine: firstLine(textOf(last)) };
  });
}
