import type { ContextState } from "../../../shared/contract/context.ts";
import { invalidParams } from "../../../shared/contract/errors.ts";
import { ownValue } from "../../../shared/json-record.ts";
import { addresseeOf } from "../log/addressee.ts";
import type { TeamTree } from "../run/team-tree.ts";

/** Records that the user wants a participant's context to be summarized; see `Team.summarizeContext`. */
export function summarizeContext(tree: TeamTree, to: string, by: string): void {
  const { team, name, context } = contextAt(tree, to);
  const kind = team.ledger.state.participants.find((one) => one.name === name)?.kind;
  const shown = team.contextOf(name)?.kind ?? "unbounded";
  const problem =
    kind !== "assistant"
      ? `${to} is not an agent with a model of its own, so it has no context that can be summarized`
      : shown !== "unbounded" && shown !== "summarized"
        ? `the context of ${to} is ${shown}, so it does not grow; give ${to} the context { kind: summarized } in the team file`
        : undefined;
  if (problem !== undefined) throw invalidParams("team/summarizeContext", [{ path: "to", message: problem }]);
  if (context?.requested) return;
  team.ledger.record({ type: "context/summaryRequested", participant: name, by });
}

/** Undoes a summary, or the request for one; see `Team.restoreContext`. */
export function restoreContext(tree: TeamTree, to: string, by: string): void {
  const { team, name, context } = contextAt(tree, to);
  if (context?.summary === undefined && !context?.requested) {
    const message = `the context of ${to} is not summarized`;
    throw invalidParams("team/restoreContext", [{ path: "to", message }]);
  }
  team.ledger.record({ type: "context/restored", participant: name, by });
}

interface ContextOf {
  readonly team: TeamTree;
  readonly name: string;
  readonly context: ContextState | undefined;
}

/** @throws GavelError `UnknownParticipant`. */
function contextAt(tree: TeamTree, to: string): ContextOf {
  const { path, name } = addresseeOf(tree.ledger.state, to);
  const team = path.reduce<TeamTree | undefined>((outer, participant) => outer?.inner.get(participant), tree) ?? tree;
  return { team, name, context: ownValue(team.ledger.state.contexts, name) };
}
