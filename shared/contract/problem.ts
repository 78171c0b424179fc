import * as z from "zod";

/** One fault in something a user or a client wrote. `line` and `column` count from 1, and stand where the source is a file. */
export const Problem = z.object({
  path: z.string(),
  message: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
});
export type Problem = z.infer<typeof Problem>;
