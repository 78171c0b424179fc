import { reasoningAddress } from "../participants/participant-container.ts";
import { findFirst, type TeamTree, teamsIn } from "../run/team-tree.ts";
import type { TeamMember } from "./authority.ts";
import type { OpenReasoning } from "./reasoning-interrupts.ts";

/** The turn with that id if it is in progress, in the team or a nested team. */
export function findOpenReasoning(tree: TeamTree, turnId: string): OpenReasoning | undefined {
  return findFirst(teamsIn(tree), ({ team: { teamId, turns, runtime }, path }) => {
    const reasoning = turns.inProgress(turnId);
    if (reasoning === undefined) return undefined;
    return {
      reasoning,
      path,
      ask: (request) => runtime.send(reasoningAddress(teamId, reasoning.participant), request),
    };
  });
}

/** All participants and monitors of the team and its nested teams. */
export function membersOf(tree: TeamTree): TeamMember[] {
  return [...teamsIn(tree)].flatMap(({ team, path }) =>
    [...team.capabilities].map(([name, capabilities]) => ({ name, path, capabilities })),
  );
}
