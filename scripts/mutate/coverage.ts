import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { root } from "../root.ts";
import { runNode } from "../run-process.ts";

/** What Node writes for each process when NODE_V8_COVERAGE is set, as far as it is read here. */
const Coverage = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(
        z.object({
          ranges: z.array(z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() })),
        }),
      ),
    }),
  ),
});

type Range = z.infer<typeof Coverage>["result"][number]["functions"][number]["ranges"][number];

/** What code one test file runs, and how long it takes. */
export interface Reach {
  readonly testFile: string;
  readonly ms: number;
  /** Whether it runs the code at an offset of a source file. */
  readonly reaches: (file: string, offset: number) => boolean;
}

/** Runs a test file alone and measures its coverage. @throws Error when it fails, since a failing test detects nothing. */
export async function reachOf(testFile: string): Promise<Reach> {
  const folder = mkdtempSync(join(tmpdir(), "gavel-coverage-"));
  try {
    const started = performance.now();
    const env = { NODE_V8_COVERAGE: folder, NODE_TEST_CONTEXT: undefined };
    await runNode([join(root, testFile)], { env, timeout: 300_000 });
    const ms = performance.now() - started;
    const ranges = rangesIn(folder);
    return { testFile, ms, reaches: (file, offset) => isRun(ranges.get(file) ?? [], offset) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Node strips types by writing blanks over them, so that offsets are those of the source. */
function rangesIn(folder: string): ReadonlyMap<string, readonly Range[][]> {
  const byFile = new Map<string, Range[][]>();
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of resultIn(join(folder, name))) {
      if (!url.startsWith("file:")) continue;
      const path = fileURLToPath(url);
      if (!path.startsWith(root) || path.includes("node_modules")) continue;
      const file = path.slice(root.length + 1).replaceAll("\\", "/");
      // One list for each process: code that one did not run may have run in another.
      byFile.set(file, [...(byFile.get(file) ?? []), functions.flatMap(({ ranges }) => ranges)]);
    }
  }
  return byFile;
}

/** Empty for a truncated file: the test killed that process, or limited the size of its files. */
function resultIn(path: string): z.infer<typeof Coverage>["result"] {
  try {
    return Coverage.parse(JSON.parse(readFileSync(path, "utf8"))).result;
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Ranges are nested: the smallest one around an offset has its count. */
function isRun(processes: readonly Range[][], offset: number): boolean {
  return processes.some((ranges) => {
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
    const [smallest] = around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
    return smallest !== undefined && smallest.count > 0;
  });
}
