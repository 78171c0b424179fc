import * as z from "zod";
import { request } from "../message-type.ts";

/**
 * Finds messages by a part of their text, in any letter case, in all stored teams: the last used first, and in each the last
 * message first, at most 3 of it; at most `limit`, 50 if left out.
 */
export const TeamFind = request(
  "team/find",
  z.strictObject({
    query: z.string().regex(/\S/, "must not be empty").max(200),
    limit: z.number().int().min(1).max(500).optional(),
  }),
  z.object({
    hits: z.array(
      z.object({ teamId: z.string(), messageId: z.string(), source: z.string(), at: z.string(), excerpt: z.string() }),
    ),
  }),
);
