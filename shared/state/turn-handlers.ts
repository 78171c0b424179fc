import type { ParticipantInfo } from "../contract/team.ts";
import { type Handlers, unchanged } from "./handlers.ts";
import { withActivity, withOpenTurns } from "./state-changes.ts";

/** Turns, from their start to their conclusion. */
export const turnHandlers: Handlers<
  | "reasoning/start"
  | "reasoning/thought"
  | "reasoning/chunk"
  | "reasoning/conclusion"
  | "reasoning/interrupt"
  | "reasoning/interrupt-ack"
  | "userInput/requested"
> = {
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
  "reasoning/chunk": unchanged,

  "reasoning/conclusion": (state, { correlation_id, interrupted, complete }) => {
    const turn = state.openTurns.find(({ id }) => correlation_id.includes(id));
    if (turn === undefined) return state;
    const isCut = interrupted && !complete;
    const done = isCut || turn.directed ? undefined : turn.participant;
    return {
      ...withOpenTurns(
        withActivity(state, turn.participant, "idle"),
        state.openTurns.filter(({ id }) => id !== turn.id),
      ),
      ...(isCut ? {} : { turn: state.turn + 1 }),
      ...(done === undefined ? {} : { lastSpeaker: done, participants: withTurn(state.participants, done) }),
      ...(isCut && turn.directed ? { unanswered: { participant: turn.participant, directed: turn.directed } } : {}),
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
};

function withTurn(participants: readonly ParticipantInfo[], name: string): ParticipantInfo[] {
  return participants.map((participant) =>
    participant.name === name ? { ...participant, activity: "idle", turns: (participant.turns ?? 0) + 1 } : participant,
  );
}
