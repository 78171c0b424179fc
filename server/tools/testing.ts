import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isRecord } from "../../shared/json-record.ts";
import type { Tool, ToolContext } from "../engine/tool.ts";
import { workspaceTools } from "./index.ts";

export { changedFiles, fileVersions } from "./edits/file-versions.ts";

/** Also in tests that set the time themselves. */
const { setTimeout: realTimeout } = globalThis;

/** A temporary folder with these files, removed when the test ends. */
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

/** The context of a call in a test, and what the call showed. */
interface TestCall {
  readonly abort: AbortController;
  /** Everything that the tool showed while it ran. */
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
    effects: undefined,
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

/** Runs a tool as the engine does: the input is prepared, and its effects are approved as they are now. */
export async function runTool(tool: Tool | undefined, input: unknown, context: ToolContext): Promise<unknown> {
  if (tool === undefined) throw new Error("There is no such tool.");
  const prepared = tool.prepare === undefined ? input : tool.prepare(input);
  return tool.run(prepared, { ...context, effects: await tool.effects?.(prepared) });
}

/** Calls a tool in a workspace of these roots and returns its result. */
export async function callTool(
  roots: readonly string[],
  name: string,
  input: unknown,
  { context } = testCall(),
): Promise<string> {
  return String(await runTool(toolOf(roots, name), input, context));
}

/** A tool's preview, without what identifies the change. */
export async function previewIn(roots: readonly string[], name: string, input: unknown): Promise<unknown> {
  const preview = await toolOf(roots, name).preview?.(input);
  if (!isRecord(preview)) return preview;
  const { file: _file, digest: _digest, ...shown } = preview;
  return shown;
}

/** Resolves once the condition is true. The test's time limit applies when it never is. Others can compute meanwhile. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => realTimeout(resolve, 5));
}
