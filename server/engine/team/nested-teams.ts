import { NO_USAGE } from "../../../shared/state/team-state.ts";
import { abandonCall, closingDrafts } from "../log/closing.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";

/**
 * Closes what the nested teams left open between their runs, such as a restarted call: for good, or so that they can
 * continue.
 */
export function closeNestedTeams({ inner }: TeamTree, forGood: boolean): void {
  for (const team of inner.values()) {
    if (team.run !== undefined) continue;
    closeNestedTeams(team, forGood);
    const { ledger } = team;
    if (forGood) endForGood(team);
    else for (const draft of closingDrafts(ledger.state, abandonCall, "keepPending")) ledger.record(draft);
  }
}

/** Ends for good what a team at rest could still continue. */
export function endForGood({ ledger, conditions }: TeamTree): void {
  if (ledger.state.status === "idle") return;
  for (const draft of closingDrafts(ledger.state, abandonCall, "dropPending")) ledger.record(draft);
  const status = { code: "interrupted" as const, reason: "external_interrupt" };
  ledger.record({ type: "run/ended", stopReason: null, status, usage: NO_USAGE, resets: true });
  conditions.reset();
}

/** Restores the input of the conditions of a team and its nested teams after a restart of the host. */
export function restoreConditions(tree: TeamTree): void {
  for (const { team } of teamsIn(tree)) team.conditions.restore(team.transcript, team.ledger.state.conditionMessages);
}
