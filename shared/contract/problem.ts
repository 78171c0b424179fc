import * as z from "zod";

/** One problem in a definition or in params. `line` and `column` count from 1, and are set when the source is a file. */
export const Problem = z.object({
  path: z.string(),
  message: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
});
export type Problem = z.infer<typeof Problem>;
