import * as z from "zod";

export const teamId = z.string().min(1).max(200);

/** The params of a request about a team. */
export const ofTeam = z.strictObject({ teamId });

export const nothing = z.null();
