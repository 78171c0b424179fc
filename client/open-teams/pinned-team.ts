import type { TeamSession } from "../session/team-session.ts";
import type { OpenTeams } from "./open-teams.ts";

/**
 * The team that is active when it is first asked for, also after the user has switched to another: what a user began to do
 * concerns that team, whatever the dialogs in between take.
 */
export function pinnedTeam(teams: OpenTeams): () => TeamSession | undefined {
  let pinned: TeamSession | undefined;
  return () => {
    pinned ??= teams.active;
    return pinned;
  };
}
