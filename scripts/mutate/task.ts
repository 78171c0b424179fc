import * as z from "zod";

/** What is run: test files, all in this process, with one mutant in place of its source, or with none. */
export const MutantTask = z.object({
  testFiles: z.array(z.string()),
  mutant: z.object({ file: z.string(), start: z.number(), end: z.number(), replacement: z.string() }).optional(),
});
export type MutantTask = z.infer<typeof MutantTask>;

/** How the child says that a test failed. Any other end but 0 is a crash, which a test run would show as well. */
export const FAILED = 1;
