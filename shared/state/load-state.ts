import type { SavedState } from "../contract/saved-state.ts";
import { withMessage } from "./state-changes.ts";
import { mapValues, NOTHING_YET, type TeamState } from "./team-state.ts";

export function loaded(state: TeamState, saved: SavedState): TeamState {
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

/** The team with nothing said yet, and the teams within it. */
export function reset(state: TeamState): TeamState {
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
