import * as z from "zod";

/** What run-with-mutant.ts runs: test files, all in its own process, against a source with one mutant. */
export const MutantTask = z.object({
  testFiles: z.array(z.string()),
  mutant: z.object({ file: z.string(), start: z.number(), end: z.number(), replacement: z.string() }),
});
export type MutantTask = z.infer<typeof MutantTask>;

/** The exit code of run-with-mutant.ts when a test failed. Any other code but 0 is a crash, which kills the mutant too. */
export const TEST_FAILED = 1;
