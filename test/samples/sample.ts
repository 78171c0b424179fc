import assert from "node:assert/strict";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after } from "node:test";
import type { ToolContext } from "../../server/engine/tool.ts";
import { parseTeamFile } from "../../server/host/team-file/parse-team-file.ts";
import { workspaceTools } from "../../server/tools/index.ts";
import type { PracticeLine, TeamDefinition } from "../../shared/contract/definition.ts";

/** The sample workspace as it is shipped. */
export const workspace = join(import.meta.dirname, "..", "..", "media", "samples", "workspace");

/** The names of its team files. */
export const teamFiles: readonly string[] = globSync("*.team.yaml", { cwd: workspace });

export const fileText = (path: string): string => readFileSync(join(workspace, path), "utf8");
export const lineOf = (path: string, line: number): string => fileText(path).split("\n")[line - 1] ?? "";

/** The team that a text in the form of a team file describes. @throws with all problems of one that a host would not open. */
export function teamIn(text: string): TeamDefinition {
  const content = parseTeamFile(text, {
    tools: [...workspaceTools({ roots: () => [] }).keys()],
    hasDefaultModel: false,
    user: "user",
  });
  if (!content.ok) throw new Error(JSON.stringify(content.problems, null, 2));
  return content.definition;
}

export const team = (file: string): TeamDefinition => teamIn(fileText(file));

/** A step of a script in the form with fields. */
export type Step = Exclude<PracticeLine, string>;

/** The steps that a script has for each who speaks in it. */
export function scriptOf(file: string, script: "lines" | "asked"): ReadonlyMap<string, readonly Step[]> {
  const model = team(file).models?.["default"];
  assert.ok(model?.provider === "practice");
  const steps = Object.entries(model[script] ?? {});
  return new Map(
    steps.map(([name, lines]) => [name, lines.map((line) => (typeof line === "string" ? { say: line } : line))]),
  );
}

export const stepsOf = (file: string, participant: string): readonly Step[] =>
  scriptOf(file, "lines").get(participant) ?? [];

/** All that a participant says, on its turns and when it is asked. */
export function said(file: string, participant: string): string {
  const steps = [...stepsOf(file, participant), ...(scriptOf(file, "asked").get(participant) ?? [])];
  return steps.map(({ say = "" }) => say).join("\n");
}

/** The last JavaScript in a participant's words. */
export const codeOf = (file: string, participant: string): string =>
  [...said(file, participant).matchAll(/```js\n([\s\S]*?)```/g)].at(-1)?.[1] ?? "";

/** A copy of the sample that is gone after the tests, so that nothing a test does can change the real one. */
export function copyOfSample(): string {
  const copy = mkdtempSync(join(tmpdir(), "gavel-sample-"));
  after(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(workspace, copy, { recursive: true });
  return copy;
}

/** Puts `code` in the place of the sample's function `split`. */
export function replaceSplit(root: string, code: string): void {
  const file = join(root, "src", "split.js");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.slice(0, source.indexOf("export function")) + code);
}

export async function callTool(root: string, name: string, input: unknown): Promise<string> {
  const tool = workspaceTools({ roots: () => [root] }).get(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  assert.equal(tool.check?.(input), undefined);
  const { signal } = new AbortController();
  const context: ToolContext = {
    teamId: "t",
    participant: "p",
    ref: "r",
    signal,
    metadata: {},
    output: () => undefined,
  };
  return String(await tool.run(input, context));
}

/** What the sample's own tests print. */
export async function runTests(root: string): Promise<string> {
  // The runner that runs this test would take the sample's runner for a part of itself.
  delete process.env["NODE_TEST_CONTEXT"];
  process.env["PATH"] = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  return callTool(root, "runCommand", { command: "node --test" });
}

/** What Tab prints for a bill. */
export const shares = (root: string, bill: string): Promise<string> =>
  callTool(root, "runCommand", { command: `node src/tab.js ${bill}` });
