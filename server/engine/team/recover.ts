import { HOST_STOPPED } from "../../../shared/contract/stop-reasons.ts";
import { runningCommands } from "../../../shared/state/command-handlers.ts";
import { askForOutcome, closingDrafts } from "../log/closing.ts";
import type { TeamTree } from "../run/team-tree.ts";
import { closeDeparted } from "./close-departed.ts";
import { endCommand } from "./team-commands.ts";

/**
 * Closes what a host that died left open in a team and its nested teams, and what participants have open that the definition
 * does not have. Does nothing to a team with a run in progress.
 */
export function recoverTeam(tree: TeamTree, isAlive: (command: string) => boolean): void {
  if (tree.run !== undefined) return;
  closeDeparted(tree);
  closeRuns(tree);
  endLostCommands(tree, isAlive);
}

/** On POSIX a watchdog in its process group has ended a command when its host died. */
function endLostCommands(tree: TeamTree, isAlive: (command: string) => boolean): void {
  for (const { id, outlivesHost } of runningCommands(tree.ledger.state))
    if (!isAlive(id)) endCommand(tree, id, { lost: outlivesHost ? "mayRun" : "ended" });
}

function closeRuns({ ledger, inner, run: currentRun }: TeamTree): void {
  if (currentRun !== undefined) return;
  for (const team of inner.values()) closeRuns(team);
  const { run, calls } = ledger.state;
  // Between the decision on a call and the run that it starts, there is no run yet, and a restarted call or an open turn.
  const isDeciding = run !== null || calls.some(({ asked }) => asked !== undefined);
  const open = isDeciding ? ledger.state : { ...ledger.state, calls: [], streaming: [] };
  for (const draft of closingDrafts(open, askForOutcome, "keepPending")) ledger.record(draft);
  if (run === null) return;
  const status = { code: "interrupted" as const, reason: HOST_STOPPED, message: "The host stopped during the run." };
  ledger.record({ type: "run/ended", stopReason: null, status, usage: run.usage });
}
