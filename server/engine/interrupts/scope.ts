import type { InterruptScope } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { assertParticipantInTree } from "../log/guards.ts";
import { cancelCallAddress } from "../participants/participant-container.ts";
import { findFirst, type TeamTree } from "../run/team-tree.ts";
import type { InterruptTarget } from "./interrupts.ts";
import { nothingToStop, oneCall, oneTurn, type Settle, wholeRun, within } from "./targets.ts";

/**
 * What an interrupt of that scope stops, of the team or of one within it.
 * @throws GavelError `UnknownParticipant` for a scope of nobody.
 */
export function targetOf(tree: TeamTree, scope: InterruptScope | undefined, settle: Settle): InterruptTarget {
  const { run, ledger } = tree;
  if (scope === undefined) return run === undefined ? nothingToStop(settle, ledger) : wholeRun(run, settle);
  if ("ref" in scope) return callTarget(tree, scope.ref) ?? nothingToStop();
  assertParticipantInTree(ledger.state, scope.participant);
  return turnTarget(tree, scope.participant, settle) ?? nothingToStop();
}

/** A call that a tool is at work on. */
function callTarget({ teamId, ledger, runtime, inner }: TeamTree, ref: string): InterruptTarget | undefined {
  const call = ledger.state.calls.find((open) => open.ref === ref && open.started && !open.abandoned);
  if (call === undefined) return findFirst(inner.values(), (team) => callTarget(team, ref));
  return oneCall(ref, () => runtime.send(cancelCallAddress(teamId, call.participant), { ref }));
}

/** The turn of a participant. */
function turnTarget({ run, ledger, inner }: TeamTree, name: string, settle: Settle): InterruptTarget | undefined {
  const turn = run?.turnOf(name);
  if (run !== undefined && turn !== undefined) return oneTurn(run, turn, settle);
  // A call that the user told to run is at work before the turn goes on.
  if (run?.acceptsAnswers && isAtWork(ledger.state, name)) return wholeRun(run, settle);
  return findFirst(inner, ([member, team]) => {
    const target = turnTarget(team, name, settle);
    const around = run?.turnOf(member);
    return target === undefined || run === undefined || around === undefined ? target : within(run, around, target);
  });
}

/** True when a tool is at work for that participant. */
const isAtWork = ({ calls, inner = {} }: TeamState, name: string): boolean =>
  calls.some(({ participant, started }) => started && participant === name) ||
  Object.values(inner).some((team) => isAtWork(team, name));
