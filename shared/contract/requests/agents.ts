import * as z from "zod";
import { request } from "../message-type.ts";
import { ofTeam, teamId } from "./params.ts";

/** An agent of another tool, found in a file. */
export const FoundAgent = z.object({
  /** What a team file names it by (`agent`); none for one of the user's own files, which are in no workspace. */
  reference: z.string().optional(),
  /** The file, as users know it. */
  file: z.string(),
  /** The participant that it is; none where the file cannot be used. */
  participant: z.record(z.string(), z.unknown()).optional(),
  /** A sentence for each part that is not taken over. */
  leftOut: z.array(z.string()),
  /** Why the file cannot be used, as a sentence. */
  problem: z.string().optional(),
});
export type FoundAgent = z.infer<typeof FoundAgent>;

/**
 * Finds the agents of other tools in the folders of the workspace, and the instructions and skills that a team file can
 * name. With `own` also those in the user's home folder.
 */
export const AgentsFind = request(
  "agents/find",
  z.strictObject({ own: z.boolean().optional() }),
  z.object({
    agents: z.array(FoundAgent),
    /** Paths for `instructionFiles` and `skills`. */
    instructionFiles: z.array(z.string()),
    skills: z.array(z.string()),
  }),
);

/**
 * Gives the text of the team's file with the participants that the team has after `team/changeParticipants`; what else the
 * file has, comments included, stays. Writes nothing. `text` is the file's content.
 */
export const TeamFileText = request(
  "team/fileText",
  z.strictObject({ teamId, text: z.string().max(2_000_000) }),
  z.object({ text: z.string() }),
);

/** Whether the files that the team was opened from say something else by now, or cannot be read. */
export const TeamIsOutdated = request("team/isOutdated", ofTeam, z.object({ isOutdated: z.boolean() }));
