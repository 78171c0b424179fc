import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { interruptedResult } from "./closing.ts";

/** The result of a call whose participant has left the team. */
const DEPARTED_CALL_RESULT = "This call was cancelled, because its participant is not in the team any more.";

/**
 * The events that close what participants that do not stay have open in a team at rest: their calls, their turns, and the
 * messages that wait for them, also in nested teams. Nested teams close their own calls and turns. `stays` is asked about
 * participants, `canBeReached` about addressees.
 */
export function departedDrafts(
  state: TeamState,
  stays: (name: string) => boolean,
  canBeReached: (to: string) => boolean,
): DurableDraft[] {
  const calls = [...state.calls, ...state.pendingTools.filter(({ path }) => path === undefined)];
  return [
    ...calls.flatMap((call) => (stays(call.participant) ? [] : [interruptedResult(call, DEPARTED_CALL_RESULT)])),
    ...state.openTurns.flatMap(({ id, participant }): DurableDraft[] =>
      stays(participant)
        ? []
        : [{ type: "reasoning/conclusion", from: participant, correlation_id: [id], interrupted: true }],
    ),
    ...state.queued.flatMap(({ id, to }): DurableDraft[] =>
      to === undefined || canBeReached(to) ? [] : [{ type: "userMessage/withdrawn", id, to }],
    ),
  ];
}
