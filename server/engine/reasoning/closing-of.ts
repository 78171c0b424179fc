import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/team-state.ts";
import { abandon, closingDrafts } from "../team/closing.ts";

/** What closes all that one participant left open, but for its turn: others may be speaking at the same time. */
export function closingOf(state: TeamState, participant: string): DurableDraft[] {
  const own = {
    ...state,
    streaming: state.streaming.filter(({ source }) => source === participant),
    calls: state.calls.filter((call) => call.participant === participant),
    pendingTools: state.pendingTools.filter((call) => call.path === undefined && call.participant === participant),
    openTurns: [],
  };
  return closingDrafts(own, abandon, "dropPending");
}
