import { reasoningAddress } from "../participants/participant-container.ts";
import type { LiveReasoning } from "../run/live-reasoning.ts";
import type { Run } from "../run/run.ts";
import { findFirst, type TeamTree, teamsIn } from "../run/team-tree.ts";
import type { TeamMember } from "./authority.ts";
import type { OpenReasoning } from "./reasoning-interrupts.ts";

/** The turn with that id if it is in progress, or a call of it that the user has approved, in the team or a nested team. */
export function findOpenReasoning(tree: TeamTree, turnId: string): OpenReasoning | undefined {
  const answering = findFirst(teamsIn(tree), ({ team: { run } }) => (run?.acceptsAnswers ? run : undefined));
  return findFirst(teamsIn(tree), ({ team, path }) => {
    const { teamId, turns, runtime } = team;
    const reasoning = turns.inProgress(turnId) ?? reasoningOfCall(team, turnId, answering);
    if (reasoning === undefined) return undefined;
    return {
      reasoning,
      path,
      ask: (request) => runtime.send(reasoningAddress(teamId, reasoning.participant), request),
    };
  });
}

/** The turn whose approved calls run in `run`, before it is resumed. */
function reasoningOfCall({ ledger, turns }: TeamTree, turnId: string, run: Run | undefined): LiveReasoning | undefined {
  const { openTurns, calls } = ledger.state;
  const open = openTurns.find(({ id }) => id === turnId);
  const isRunning = calls.some(({ participant, abandoned }) => participant === open?.participant && !abandoned);
  return run !== undefined && open !== undefined && isRunning ? turns.beforeResumption(open, run) : undefined;
}

/** All participants and monitors of the team and its nested teams. */
export function membersOf(tree: TeamTree): TeamMember[] {
  return [...teamsIn(tree)].flatMap(({ team, path }) =>
    [...team.capabilities].map(([name, capabilities]) => ({ name, path, capabilities })),
  );
}
