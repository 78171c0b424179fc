import * as z from "zod";
import { request } from "../message-type.ts";

/**
 * Finds messages of the threads of all stored teams by a part of their text, in any letter case: the last three of each team
 * come first, then the others, those of the team last used before those of the next, and in each the last message first. At
 * most `limit` are returned, 50 if left out; with `after`, those that come after a result with that `next`.
 */
export const TeamFind = request(
  "team/find",
  z.strictObject({
    query: z.string().regex(/\S/, "must not be empty").max(200),
    limit: z.number().int().min(1).max(500).optional(),
    after: z
      .string()
      .regex(/^[12]\.[01](\.\d{1,16}){3}$/, "give the `next` of a result, or leave it out")
      .optional(),
  }),
  z.object({
    hits: z.array(
      z.object({ teamId: z.string(), messageId: z.string(), source: z.string(), at: z.string(), excerpt: z.string() }),
    ),
    next: z.string().exactOptional(),
  }),
);
