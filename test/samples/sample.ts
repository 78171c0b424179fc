import assert from "node:assert/strict";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after } from "node:test";
import type { ToolContext } from "../../server/engine/tool.ts";
import { parseTeamFile } from "../../server/host/team-file/parse-team-file.ts";
import { workspaceTools } from "../../server/tools/index.ts";
import { runTool } from "../../server/tools/testing.ts";
import type { PracticeLine, TeamDefinition } from "../../shared/contract/definition.ts";

/** The sample workspace. */
export const workspace = join(import.meta.dirname, "..", "..", "media", "samples", "workspace");

/** The names of its team files. */
export const teamFiles: readonly string[] = globSync("*.team.yaml", { cwd: workspace });

export const fileText = (path: string): string => readFileSync(join(workspace, path), "utf8");
export const lineOf = (path: string, line: number): string => fileText(path).split("\n")[line - 1] ?? "";

/** Parses the text of a team file. @throws with all problems if a host would not open it. */
export function parseTeam(text: string): TeamDefinition {
  const content = parseTeamFile(text, {
    tools: [...workspaceTools({ roots: () => [] }).keys()],
    hasDefaultModel: false,
    user: "user",
  });
  if (!content.ok) throw new Error(JSON.stringify(content.problems, null, 2));
  return content.definition;
}

export const teamOf = (file: string): TeamDefinition => parseTeam(fileText(file));

/** A step of a script, as an object. */
export type ScriptStep = Exclude<PracticeLine, string>;

/** The steps of a script, by participant. */
export function scriptOf(file: string, script: "lines" | "asked"): ReadonlyMap<string, readonly ScriptStep[]> {
  const model = teamOf(file).models?.["default"];
  assert.ok(model?.provider === "practice");
  const steps = Object.entries(model[script] ?? {});
  return new Map(
    steps.map(([name, lines]) => [name, lines.map((line) => (typeof line === "string" ? { say: line } : line))]),
  );
}

export const scriptSteps = (file: string, participant: string): readonly ScriptStep[] =>
  scriptOf(file, "lines").get(participant) ?? [];

/** Everything a participant says, in its turns and in answers to directed messages. */
export function textsOf(file: string, participant: string): string {
  const steps = [...scriptSteps(file, participant), ...(scriptOf(file, "asked").get(participant) ?? [])];
  return steps.map(({ say = "" }) => say).join("\n");
}

/** The last JavaScript code block of a participant. */
export const lastCodeBlock = (file: string, participant: string): string =>
  [...textsOf(file, participant).matchAll(/```js\n([\s\S]*?)```/g)].at(-1)?.[1] ?? "";

/** A copy of the sample that is removed after the tests. */
export function copyOfSample(): string {
  const copy = mkdtempSync(join(tmpdir(), "gavel-sample-"));
  after(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(workspace, copy, { recursive: true });
  return copy;
}

/** Replaces the sample's function `split` with `code`. */
export function replaceSplit(root: string, code: string): void {
  const file = join(root, "src", "split.js");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.slice(0, source.indexOf("export function")) + code);
}

export async function callSampleTool(root: string, name: string, input: unknown): Promise<string> {
  const tool = workspaceTools({ roots: () => [root] }).get(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const { signal } = new AbortController();
  const context: ToolContext = {
    teamId: "t",
    participant: "p",
    ref: "r",
    signal,
    metadata: {},
    effects: undefined,
    output: () => undefined,
  };
  return String(await runTool(tool, input, context));
}

/** The output of the sample's own tests. */
export async function runSampleTests(root: string): Promise<string> {
  // Otherwise the sample's test runner would report to the runner of this test.
  delete process.env["NODE_TEST_CONTEXT"];
  process.env["PATH"] = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  return callSampleTool(root, "runCommand", { command: "node --test" });
}

/** The output of Tab for a bill. */
export const shares = (root: string, bill: string): Promise<string> =>
  callSampleTool(root, "runCommand", { command: `node src/tab.js ${bill}` });
