import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Tool, ToolContext } from "../engine/tool.ts";
import { workspaceTools } from "./index.ts";

/** A real folder of these files, removed when the test that made it ends. */
export function folderOf(
  test: { after(remove: () => void): void },
  files: Readonly<Record<string, string | Uint8Array>> = {},
): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gavel-tools-")));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** What a test gives to a call, and what it can see of it. */
interface TestCall {
  readonly abort: AbortController;
  /** All that the tool showed while it ran. */
  readonly shown: () => string;
  readonly context: ToolContext;
}

export function testCall(): TestCall {
  const abort = new AbortController();
  let shown = "";
  const context: ToolContext = {
    teamId: "team",
    participant: "tester",
    ref: "call-1",
    signal: abort.signal,
    metadata: {},
    output: (delta) => {
      shown += delta;
    },
  };
  return { abort, shown: () => shown, context };
}

export function toolOf(roots: readonly string[], name: string): Tool {
  const tool = workspaceTools({ roots: () => roots }).get(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

/** What a call of a tool gives in a workspace of these roots. */
export async function call(
  roots: readonly string[],
  name: string,
  input: unknown,
  { context } = testCall(),
): Promise<string> {
  return String(await toolOf(roots, name).run(input, context));
}

/** Resolves once the condition holds. The test runner's own limit ends it when it never does. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}
