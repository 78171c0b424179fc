import { invalidParams } from "../../../shared/contract/errors.ts";
import type { PlanItem } from "../../../shared/contract/plan.ts";
import { jsonEquals } from "../../../shared/json-equals.ts";
import { ownValue } from "../../../shared/json-record.ts";
import { addresseeOf } from "../log/addressee.ts";
import type { TeamTree } from "../run/team-tree.ts";

/** Records the user's edit of a participant's plan; see `Team.editPlan`. */
export function editPlan(
  tree: TeamTree,
  to: string,
  { items, was }: { readonly items: readonly PlanItem[]; readonly was?: readonly PlanItem[] | undefined },
  by: string,
): void {
  const { path, name } = addresseeOf(tree.ledger.state, to);
  const team = path.reduce<TeamTree | undefined>((outer, participant) => outer?.inner.get(participant), tree) ?? tree;
  const plan = ownValue(team.ledger.state.plans, name)?.items ?? [];
  if (was !== undefined && !jsonEquals(plan, was)) {
    const message = `${to} has changed its plan meanwhile; edit it as it is now`;
    throw invalidParams("team/editPlan", [{ path: "was", message }]);
  }
  if (jsonEquals(plan, items)) return;
  team.ledger.record({ type: "plan/updated", participant: name, items: [...items], by });
}
