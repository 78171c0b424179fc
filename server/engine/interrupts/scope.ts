import { invalidParams } from "../../../shared/contract/errors.ts";
import type { PlacedParticipant } from "../../../shared/contract/stopped.ts";
import type { InterruptScope } from "../../../shared/contract/team.ts";
import { assertParticipantInTree } from "../log/guards.ts";
import { cancelCallAddress } from "../participants/participant-container.ts";
import { samePath } from "../paths.ts";
import type { InterruptOptions } from "../requests.ts";
import type { Run } from "../run/run.ts";
import { findFirst, type TeamTree } from "../run/team-tree.ts";
import type { InterruptTarget } from "./interrupts.ts";
import {
  type ApplySeverity,
  callsTarget,
  callTarget,
  idleTarget,
  nestedTarget,
  runTarget,
  turnTarget,
} from "./targets.ts";

/** @throws GavelError `InvalidParams` for the severity `reset` with a scope: it clears the thread of the whole team. */
export function assertSeverityFits({ scope, severity }: InterruptOptions): void {
  if (scope === undefined || severity !== "reset") return;
  const message = "reset is for the whole team; leave out the scope, or use stop";
  throw invalidParams("team/interrupt", [{ path: "severity", message }]);
}

/**
 * What an interrupt of that scope stops, in the team or a nested team.
 * @throws GavelError `UnknownParticipant` if the scope names an unknown participant.
 */
export function interruptTarget(
  tree: TeamTree,
  scope: InterruptScope | undefined,
  applySeverity: ApplySeverity,
): InterruptTarget {
  const { run, ledger } = tree;
  if (scope === undefined) return run === undefined ? idleTarget(applySeverity, ledger) : runTarget(run, applySeverity);
  if ("ref" in scope) return findCall(tree, scope.ref) ?? idleTarget();
  assertParticipantInTree(ledger.state, scope);
  return findTurn(tree, scope, applySeverity) ?? idleTarget();
}

/** A call that runs, or is about to; `outerRun` is the run around its team's own. */
function findCall(
  { teamId, ledger, runtime, inner, run: ownRun }: TeamTree,
  ref: string,
  outerRun?: Run,
): InterruptTarget | undefined {
  const run = ownRun ?? outerRun;
  const call = ledger.state.calls.find((open) => open.ref === ref && !open.abandoned);
  if (call === undefined) return findFirst(inner.values(), (team) => findCall(team, ref, run));
  if (run === undefined) return undefined;
  // The end of its turn closes a call that never ran.
  const over = ownRun?.turnOf(call.participant)?.ended ?? run.ended;
  return callTarget(ref, () => runtime.send(cancelCallAddress(teamId, call.participant), { ref }), over);
}

/** The turn of a participant. */
function findTurn(
  tree: TeamTree,
  wanted: PlacedParticipant,
  applySeverity: ApplySeverity,
  path: readonly string[] = [],
): InterruptTarget | undefined {
  const { run, inner } = tree;
  const turn = isPlace(path, wanted) ? run?.turnOf(wanted.participant) : undefined;
  if (run !== undefined && turn !== undefined) {
    return turnTarget(run, turn, [...path, wanted.participant], applySeverity);
  }
  // A restarted call runs before its turn continues.
  const open = run?.acceptsAnswers ? openCalls(tree, path) : [];
  const own = open.filter((call) => isPlace(call.path, wanted) && call.participant === wanted.participant);
  const [first] = own;
  if (run !== undefined && first !== undefined) {
    if (own.length === open.length && run.speakerCount === 0) return runTarget(run, applySeverity);
    const cancel = (): Promise<unknown> => Promise.all(own.map((call) => call.cancel()));
    return callsTarget(run, [...first.path, first.participant], cancel, applySeverity);
  }
  return findFirst(inner, ([member, team]) => {
    const target = findTurn(team, wanted, applySeverity, [...path, member]);
    const outerTurn = run?.turnOf(member);
    return target === undefined || run === undefined || outerTurn === undefined || team.run === undefined
      ? target
      : nestedTarget(run, outerTurn, team.run, target);
  });
}

interface PlacedCall {
  readonly participant: string;
  readonly path: readonly string[];
  readonly cancel: () => Promise<void>;
}

/** The calls that run, or are about to, in the team and its nested teams. */
function openCalls({ teamId, ledger, runtime, inner }: TeamTree, path: readonly string[]): PlacedCall[] {
  const own = ledger.state.calls.filter(({ abandoned }) => !abandoned);
  return [
    ...own.map(({ ref, participant }) => ({
      participant,
      path,
      cancel: () => runtime.send(cancelCallAddress(teamId, participant), { ref }),
    })),
    ...[...inner].flatMap(([name, team]) => openCalls(team, [...path, name])),
  ];
}

/** True if the team at `path` can have the wanted participant. */
const isPlace = (path: readonly string[], { path: wanted }: PlacedParticipant): boolean =>
  wanted === undefined || samePath(path, wanted);
