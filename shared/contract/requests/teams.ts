import * as z from "zod";
import { LIMITS } from "../../limits.ts";
import { GraphEdge } from "../definition.ts";
import { TeamEvent } from "../event.ts";
import { request } from "../message-type.ts";
import { TeamSnapshot, TeamSummary } from "../team.ts";
import { nothing, ofTeam, teamId } from "./params.ts";

/** Opens a team file, a definition or a stored team: creates the team, or opens the stored one with its thread. */
export const TeamOpen = request(
  "team/open",
  z.strictObject({ teamId: teamId.optional(), uri: z.string().optional(), definition: z.unknown().optional() }),
  TeamSnapshot,
);

/**
 * For a client that reconnects, and knows the team up to the event `after`: the events that it missed, or the team as it is
 * if they are too many, if a message is just being written, or if the team is not the one that the client knows. It is told
 * what happens after that, with no gap and no repeat.
 */
export const TeamFollow = request(
  "team/follow",
  z.strictObject({ teamId, after: z.number().int().min(0), at: z.string().optional() }),
  z.union([z.strictObject({ events: z.array(TeamEvent) }), z.strictObject({ snapshot: TeamSnapshot })]),
);

/**
 * Adds, removes or replaces participants of a team at rest, one change after another, and all of them or none. The
 * definition that results is checked as a team file is: `InvalidDefinition`. `TeamBusy` while the team runs.
 */
export const TeamChangeParticipants = request(
  "team/changeParticipants",
  z.strictObject({
    teamId,
    /** The participants that lead to a nested team whose participants are changed. */
    within: z.array(z.string()).min(1).max(20).optional(),
    changes: z
      .array(
        z.union([
          z.strictObject({
            add: z.unknown(),
            at: z.number().int().min(0).optional(),
            /** For a graph: who it speaks after, and who speaks after it. */
            after: z.array(z.string()).optional(),
            before: z.array(z.string()).optional(),
          }),
          /** `bridge`, for a graph: who came before it leads to who came after it. */
          z.strictObject({ remove: z.string(), bridge: z.literal(true).optional() }),
          z.strictObject({ replace: z.string(), with: z.unknown() }),
        ]),
      )
      .min(1)
      .max(200),
    /** The edges of a graph after the change. */
    edges: z.array(GraphEdge).optional(),
  }),
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
