import type { SavedState } from "../contract/saved-state.ts";
import { ownValue } from "../json-record.ts";
import { withDefinition } from "./changed-participants.ts";
import { withMessage } from "./state-changes.ts";
import { EMPTY_STATE, mapValues, OPTIONAL_STATE, type TeamState } from "./team-state.ts";

/** The team with its state replaced by a saved one. */
export function loadedState(before: TeamState, saved: SavedState): TeamState {
  const state = saved.definition === undefined ? before : withDefinition(before, saved.definition);
  let filled = emptyState(state);
  for (const entry of saved.transcript) {
    if (entry.kind === "message") filled = { ...filled, ...withMessage(filled, entry.message) };
  }
  const { turns = {}, usages = {} } = saved;
  const waiting = new Set(
    saved.pendingTools.flatMap(({ participant, path }) => (path === undefined ? participant : [])),
  );
  return {
    ...filled,
    status: saved.status ?? statusOf(saved),
    interrupted: saved.interrupted,
    ...optionalState(saved),
    // Whoever wrote the state could have written approvals into it.
    pendingTools: saved.pendingTools.map(({ approvals, underApproval, ...call }) => call),
    queued: saved.queued,
    openTurns: saved.openTurns,
    lastSpeaker: saved.lastSpeaker,
    turn: saved.turn,
    usage: saved.usage,
    conditionMessages: saved.conditionMessages,
    participants: filled.participants.map((participant) => {
      const taken = ownValue(turns, participant.name);
      const spent = ownValue(usages, participant.name);
      return {
        ...participant,
        ...(waiting.has(participant.name) ? { activity: "awaitingTools" as const } : {}),
        ...(taken === undefined ? {} : { turns: taken }),
        ...(spent === undefined ? {} : { usage: spent }),
      };
    }),
    ...(state.inner === undefined ? {} : { inner: loadedInner(state.inner, saved.inner ?? {}) }),
  };
}

type Optional = { readonly [K in (typeof OPTIONAL_STATE)[number]]?: Exclude<SavedState[K], undefined> };

/** The optional fields that a saved state has. */
function optionalState(saved: SavedState): Optional {
  return Object.fromEntries(OPTIONAL_STATE.flatMap((key) => (saved[key] === undefined ? [] : [[key, saved[key]]])));
}

/** For a state that was saved before it said so itself. */
function statusOf({ pendingTools, interrupted, turn }: SavedState): TeamState["status"] {
  if (pendingTools.length > 0) return "awaitingTools";
  return interrupted || turn > 0 ? "paused" : "idle";
}

/** A nested team that the saved state does not contain is reset. */
function loadedInner(
  inner: Readonly<Record<string, TeamState>>,
  saved: Readonly<Record<string, SavedState>>,
): Record<string, TeamState> {
  return Object.fromEntries(
    Object.entries(inner).map(([name, state]) => {
      const own = ownValue(saved, name);
      return [name, own === undefined ? resetState(state) : loadedState(state, own)];
    }),
  );
}

/** The team and its nested teams with an empty thread. */
export function resetState(state: TeamState): TeamState {
  return { ...emptyState(state), ...(state.inner === undefined ? {} : { inner: mapValues(state.inner, resetState) }) };
}

function emptyState(state: TeamState): TeamState {
  const participants = state.participants.map(({ lastLine, turns, usage, ...participant }) => ({
    ...participant,
    activity: "idle" as const,
  }));
  const { stopRequested, ...rest } = state;
  const kept: { -readonly [K in keyof TeamState]: TeamState[K] } = { ...rest };
  for (const key of OPTIONAL_STATE) delete kept[key];
  return { ...kept, ...EMPTY_STATE, participants };
}
