import { NO_USAGE } from "../../../shared/state/team-state.ts";
import { abandonCall, closingDrafts } from "../log/closing.ts";
import type { InnerClosing } from "../run/run-parts.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";

/** Closes what the nested teams left open between their runs, such as a restarted call. */
export function closeNestedTeams({ inner }: TeamTree, how: InnerClosing): void {
  for (const team of inner.values()) {
    if (team.run !== undefined) continue;
    closeNestedTeams(team, how);
    const { ledger } = team;
    if (how !== "pause") endAtRest(team, how);
    else for (const draft of closingDrafts(ledger.state, abandonCall, "keepPending")) ledger.record(draft);
  }
}

/** Ends what a team at rest could still continue. After an `end` its manager goes on where it stood. */
export function endAtRest({ ledger, conditions }: TeamTree, how: "end" | "stop"): void {
  if (ledger.state.status === "idle") return;
  for (const draft of closingDrafts(ledger.state, abandonCall, "dropPending")) ledger.record(draft);
  const status = { code: "interrupted" as const, reason: "external_interrupt" };
  const flow = how === "end" && ledger.state.note !== undefined ? { flow: "open" as const } : {};
  ledger.record({ type: "run/ended", stopReason: null, status, usage: NO_USAGE, resets: true, ...flow });
  conditions.reset();
}

/** Restores the input of the conditions of a team and its nested teams after a restart of the host. */
export function restoreConditions(tree: TeamTree): void {
  for (const { team } of teamsIn(tree)) team.conditions.restore(team.transcript, team.ledger.state.conditionMessages);
}
