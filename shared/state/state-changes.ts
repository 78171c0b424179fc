import type { ChatMessage, Usage } from "../contract/message.ts";
import { firstLine, textOf } from "../contract/message-text.ts";
import type { OpenTurn, ParticipantActivity, ParticipantInfo } from "../contract/team.ts";
import { lastMessages } from "./last-messages.ts";
import { addUsage, NO_USAGE, SNAPSHOT_THREAD, type TeamState } from "./team-state.ts";

/** What changes when a message is added to the thread. */
export function withMessage(
  state: TeamState,
  message: ChatMessage,
): Pick<TeamState, "thread" | "threadLength" | "participants"> {
  return {
    thread: lastMessages([...state.thread, message], SNAPSHOT_THREAD),
    threadLength: state.threadLength + 1,
    participants: updated(state.participants, message.source, { lastLine: firstLine(textOf(message)) }),
  };
}

/** Sets the open turns, and `awaitingUser` from the first one that waits for the user. */
export function withOpenTurns({ awaitingUser, ...state }: TeamState, openTurns: readonly OpenTurn[]): TeamState {
  const awaits = openTurns.find((turn) => turn.awaits !== undefined)?.awaits;
  return { ...state, openTurns, ...(awaits === undefined ? {} : { awaitingUser: awaits }) };
}

export function withActivity(state: TeamState, name: string, activity: ParticipantActivity): TeamState {
  return { ...state, participants: updated(state.participants, name, { activity, ...NOTHING_SPECIAL }) };
}

/** Its model neither waits nor writes a summary. */
const NOTHING_SPECIAL = { waitsFor: undefined, summarizing: undefined } as const;

/** Whether the participant's model writes a summary of its context. */
export function withSummarizing(state: TeamState, name: string, summarizing: true | undefined): TeamState {
  return { ...state, participants: updated(state.participants, name, { summarizing }) };
}

/** What the participant's model request waits for; undefined once it is sent. */
export function withWait(state: TeamState, name: string, waitsFor: ParticipantInfo["waitsFor"]): TeamState {
  return { ...state, participants: updated(state.participants, name, { waitsFor }) };
}

function updated(
  participants: readonly ParticipantInfo[],
  name: string,
  change: Partial<ParticipantInfo>,
): ParticipantInfo[] {
  return participants.map((participant) =>
    participant.name === name ? known({ ...participant, ...change }) : participant,
  );
}

/** Without what is over: what is stored and sent has no key without a value. */
function known({ waitsFor, summarizing, ...participant }: ParticipantInfo): ParticipantInfo {
  return {
    ...participant,
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(summarizing === undefined ? {} : { summarizing }),
  };
}

/** Adds usage to the participant `by`, to the run and to the team. */
export function withUsage(state: TeamState, usage: Usage | undefined, by: string): TeamState {
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

/** Sets whether a paused team waits for decisions: for a nested team this can change between its runs. */
export function withPausedStatus(state: TeamState): TeamState {
  if (state.status !== "paused" && state.status !== "awaitingTools") return state;
  return { ...state, status: state.pendingTools.length > 0 ? "awaitingTools" : "paused" };
}
