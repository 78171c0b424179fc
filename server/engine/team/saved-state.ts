import { SAVED_STATE_VERSION, type SavedState, type TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { mapValues, type TeamState } from "../../../shared/state/team-state.ts";
import { RESULT_TOO_LATE } from "../run/run.ts";

/** A team's whole state as plain JSON, with its transcript and the saved states of its nested teams, by participant. */
export function savedStateOf(
  state: TeamState,
  transcript: readonly TranscriptEntry[],
  inner: Readonly<Record<string, SavedState>>,
  spent: SavedState["spent"],
): SavedState {
  const { name, kind, participants, calls, openTurns, memories, plans, contexts, due } = state;
  const { pendingTools, queued, lastSpeaker, turn, usage, status, interrupted, lastStop, conditionMessages } = state;
  const { handoffTo, handoffFrom, note, finishedAt, asked, unanswered, awaitingUser, definition, former } = state;
  const turns = participants.flatMap((one) => (one.turns === undefined ? [] : [[one.name, one.turns]]));
  const usages = participants.flatMap((one) => (one.usage === undefined ? [] : [[one.name, one.usage]]));
  return defined({
    schemaVersion: SAVED_STATE_VERSION,
    team: { name, kind, participants: participants.map((participant) => participant.name) },
    // A team that loads the state cannot receive the results of calls that are still running here.
    transcript: [...transcript, ...calls.map(({ ref }) => lateResult(ref))],
    pendingTools,
    queued,
    openTurns: [...openTurns],
    lastSpeaker,
    turn,
    usage,
    interrupted,
    status: status === "running" || status === "interrupting" ? undefined : status,
    lastStop,
    conditionMessages,
    turns: turns.length === 0 ? undefined : Object.fromEntries(turns),
    usages: usages.length === 0 ? undefined : Object.fromEntries(usages),
    spent,
    handoffTo,
    handoffFrom,
    note,
    finishedAt,
    asked,
    memories: memories === undefined ? undefined : mapValues(memories, (notes) => [...notes]),
    plans,
    contexts,
    unanswered,
    due: due?.map(({ id, to }) => ({ id, to })),
    awaitingUser,
    former,
    definition,
    inner: Object.keys(inner).length === 0 ? undefined : { ...inner },
  });
}

const lateResult = (ref: string): TranscriptEntry => ({ kind: "result", ref, output: RESULT_TOO_LATE, isError: true });

/** Without undefined values, so that a saved state equals the state that is read back. */
function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as never;
}
