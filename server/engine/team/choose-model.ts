import { invalidParams, teamBusy } from "../../../shared/contract/errors.ts";
import type { ChosenModel } from "../../../shared/contract/model-choice.ts";
import { addresseeOf } from "../log/addressee.ts";
import type { TeamTree } from "../run/team-tree.ts";

/** Records the choice of a model; see `Team.setModel`. */
export function chooseModel(tree: TeamTree, to: string | undefined, model: ChosenModel | null, by: string): void {
  if (to === undefined) {
    if (tree.run !== undefined) throw teamBusy(tree.teamId);
    assertUsable(tree, model);
    tree.ledger.record({ type: "model/chosen", model, by });
    return;
  }
  const { path, name } = addresseeOf(tree.ledger.state, to);
  const team = path.reduce<TeamTree | undefined>((outer, participant) => outer?.inner.get(participant), tree) ?? tree;
  const { participants, openTurns } = team.ledger.state;
  const { kind, worker } = participants.find((participant) => participant.name === name) ?? {};
  if (worker !== undefined) throw invalidChoice("to", `${to} runs on the worker ${worker}, whose file says its model`);
  if (kind === "user") throw invalidChoice("to", `${to} is the user, who has no model; name another participant`);
  if (kind === "acp") throw invalidChoice("to", `${to} is a program that chooses its model itself; set it there`);
  if (kind === "a2a") throw invalidChoice("to", `${to} is an agent elsewhere that chooses its model itself`);
  // A turn stays open between runs; nothing of it runs then.
  const hasTurn = openTurns.some(({ participant }) => participant === name);
  if (team.run !== undefined && hasTurn) throw teamBusy(tree.teamId);
  assertUsable(team, model);
  team.ledger.record({ type: "model/chosen", participant: name, model, by });
}

function assertUsable({ models }: TeamTree, model: ChosenModel | null): void {
  const problem = model === null ? undefined : models.checkChoice(model);
  if (problem !== undefined) throw invalidChoice("model", problem);
}

const invalidChoice = (path: string, message: string): Error => invalidParams("team/setModel", [{ path, message }]);
