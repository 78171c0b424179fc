import type { PendingTool } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { UNREVIEWED_RESULT } from "../calls/tool-executor.ts";
import { interruptedResult } from "../log/closing.ts";
import type { TeamTree } from "../run/team-tree.ts";

/** The result of a waiting call that an interrupt of the user cancelled. */
export const cancelledByInterrupt = (call: PendingTool): string => cancelled(call, "The user interrupted the team");

/** The result of a waiting call whose participant the user sent a message instead of a decision. */
export const cancelledByMessage = (call: PendingTool): string => cancelled(call, "The user sent a message instead");

/**
 * Cancels calls that still wait for the user, here and in nested teams: each gets an error result, and a turn that has
 * nothing left to wait for ends as an interrupt ends it, so its participant speaks first when the team continues.
 */
export function cancelCalls(
  tree: TeamTree,
  calls: readonly PendingTool[],
  resultOf: (call: PendingTool) => string,
): void {
  const { ledger, inner, run } = tree;
  const refs = new Set(calls.map(({ ref }) => ref));
  const waiting = ledger.state.pendingTools.filter(({ ref }) => refs.has(ref));
  for (const team of inner.values()) cancelCalls(team, calls, resultOf);
  for (const call of waiting) if (call.path === undefined) ledger.record(interruptedResult(call, resultOf(call)));
  const waited = new Set(waiting.map(({ participant, path }) => path?.[0] ?? participant));
  for (const { id, participant, awaits } of ledger.state.openTurns) {
    const isOver = waited.has(participant) && awaits === undefined && run?.turnOf(participant) === undefined;
    if (!isOver || isBusy(ledger.state, participant)) continue;
    const asks = inner.get(participant)?.ledger.state.awaitingUser;
    if (asks === undefined) {
      ledger.record({ type: "reasoning/conclusion", from: participant, correlation_id: [id], interrupted: true });
    } else {
      const through = [participant, ...(asks.path ?? [])];
      ledger.record({ type: "userInput/requested", participant: asks.participant, through });
    }
  }
}

/** True while other calls of a participant wait or run. */
const isBusy = ({ pendingTools, calls }: TeamState, name: string): boolean =>
  pendingTools.some(({ participant, path }) => (path?.[0] ?? participant) === name) ||
  calls.some(({ participant, abandoned }) => participant === name && !abandoned);

/** A call whose outcome is unknown, or whose tool has asked something, may have had effects. */
function cancelled({ interrupt, approval, review }: PendingTool, cause: string): string {
  if (review) return `${cause}. ${UNREVIEWED_RESULT}`;
  if (isOutcomeUnknown(interrupt)) return `${cause}: what this call did is unknown.`;
  return approval
    ? `${cause}: this call was cancelled before it ran.`
    : `${cause}: what this call asked was not answered, and it was cancelled.`;
}

const isOutcomeUnknown = (interrupt: unknown): boolean =>
  typeof interrupt === "object" && interrupt !== null && "outcome" in interrupt && interrupt.outcome === "unknown";
