import * as z from "zod";
import { LIMITS } from "../../limits.ts";
import { request } from "../message-type.ts";
import { TeamSnapshot, TeamSummary } from "../team.ts";
import { nothing, ofTeam, teamId } from "./params.ts";

/** Opens a team file, a definition or a stored team: creates the team, or opens the stored one with its thread. */
export const TeamOpen = request(
  "team/open",
  z.strictObject({ teamId: teamId.optional(), uri: z.string().optional(), definition: z.unknown().optional() }),
  TeamSnapshot,
);

/** Lists the stored teams, newest first. */
export const TeamList = request("team/list", z.strictObject({}), z.object({ teams: z.array(TeamSummary) }));

/**
 * Copies a team at rest into a new team with the same definition and state, including pending calls and waiting messages.
 * Edits to files can still be undone only in the original. The copy has a title of its own, such as "NAME (fork)".
 */
export const TeamFork = request("team/fork", z.strictObject({ teamId, newTeamId: teamId.optional() }), TeamSnapshot);

/** Gives the team a title of its own, which users see in place of its name, or removes it. */
export const TeamRename = request(
  "team/rename",
  z.strictObject({ teamId, title: z.string().regex(/\S/, "must not be empty").max(LIMITS.title).nullable() }),
  nothing,
);

/** Empties the thread, so that the same team starts over. */
export const TeamReset = request("team/reset", ofTeam, TeamSnapshot);

/** Deletes a team and everything stored for it. */
export const TeamDelete = request("team/delete", ofTeam, nothing);
