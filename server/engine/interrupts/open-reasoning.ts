import { reasoningAddress } from "../participants/participant-container.ts";
import { findFirst, type TeamTree, teamsIn } from "../run/team-tree.ts";
import type { TeamMember } from "./authority.ts";
import type { OpenReasoning } from "./reasoning-interrupts.ts";

/** A turn that is being taken, in the team or in one within it. */
export function findOpenReasoning(tree: TeamTree, turnId: string): OpenReasoning | undefined {
  return findFirst(teamsIn(tree), ({ team: { teamId, turns, runtime }, path }) => {
    const live = turns.live(turnId);
    if (live === undefined) return undefined;
    return {
      reasoning: live,
      path,
      ask: (request) => runtime.send(reasoningAddress(teamId, live.participant), request),
    };
  });
}

/** All participants, those of nested teams among them. */
export function membersOf(tree: TeamTree): TeamMember[] {
  return [...teamsIn(tree)].flatMap(({ team, path }) =>
    [...team.capabilities].map(([name, capabilities]) => ({ name, path, capabilities })),
  );
}
