import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { root } from "./root.ts";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const noTests: Counts = { passed: 0, failed: 0, skipped: 0 };

export function sum(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The closing line that CI reads. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}

/**
 * Runs test files with node:test, each in a process of its own, and shows them as they go.
 * @param atOnce how many files run at the same time.
 * @param limitMs how long one file may take.
 */
export async function runTests(files: readonly string[], atOnce: number, limitMs: number): Promise<Counts> {
  if (files.length === 0) return noTests;
  let counts = noTests;
  const events = run({
    files: files.map((file) => join(root, file)),
    concurrency: atOnce,
    timeout: limitMs,
    cwd: root,
  });
  events.on("test:summary", ({ file, counts: told }) => {
    // There is a summary of each file too, and one of all, which names none.
    if (file !== undefined) return;
    counts = {
      passed: told.passed,
      failed: told.tests - told.passed - told.skipped - told.todo,
      skipped: told.skipped + told.todo,
    };
  });
  for await (const text of events.compose(spec)) process.stdout.write(text);
  return counts;
}
