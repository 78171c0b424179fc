import assert from "node:assert/strict";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, test } from "node:test";
import { parse } from "yaml";
import type { ToolContext } from "../../server/engine/tool.ts";
import { workspaceTools } from "../../server/tools/index.ts";
import { type PracticeLine, TeamDefinition } from "../../shared/contract/definition.ts";

const samples = join(import.meta.dirname, "..", "..", "media", "samples");
const workspace = join(samples, "workspace");
const teamFile = join(workspace, "review.team.yaml");

const fileText = (path: string) => readFileSync(join(workspace, path), "utf8");
const lineOf = (path: string, line: number) => fileText(path).split("\n")[line - 1] ?? "";
const team = () => TeamDefinition.parse(parse(readFileSync(teamFile, "utf8")));

/** The steps that a script has for a participant, in the form with fields. */
function stepsOf(script: "lines" | "asked", participant: string) {
  const model = team().models?.["default"];
  const steps = model?.provider === "practice" ? model[script]?.[participant] : undefined;
  return (steps ?? []).map((step: PracticeLine) => (typeof step === "string" ? { say: step } : step));
}

const said = (participant: string): readonly string[] =>
  [...stepsOf("lines", participant), ...stepsOf("asked", participant)].flatMap(({ say }) => say ?? []);

/** The JavaScript in a participant's words. */
function codeOf(participant: string): string {
  return /```js\n([\s\S]*?)```/.exec(said(participant).join("\n"))?.[1] ?? "";
}

/** A copy of the sample, so that nothing a test does can change the real one. */
function copyOfSample(): string {
  const copy = mkdtempSync(join(tmpdir(), "gavel-sample-"));
  after(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(workspace, copy, { recursive: true });
  return copy;
}

async function callTool(root: string, name: string, input: unknown): Promise<string> {
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

async function runTests(root: string): Promise<string> {
  // The runner that runs this test would take the sample's runner for a part of itself.
  delete process.env["NODE_TEST_CONTEXT"];
  process.env["PATH"] = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  return callTool(root, "runCommand", { command: "node --test" });
}

for (const path of globSync("**/*.team.yaml", { cwd: samples })) {
  test(`the sample team ${path} is a valid team file, whose names and tools all exist`, () => {
    const definition = TeamDefinition.parse(parse(readFileSync(join(samples, path), "utf8")));
    const names = definition.participants.map(({ name }) => name);
    const known = workspaceTools({ roots: () => [] });
    for (const { tools = [], instructions, description } of definition.participants) {
      assert.ok(instructions && description);
      for (const tool of tools) assert.ok(typeof tool !== "string" || known.has(tool), String(tool));
    }
    for (const model of Object.values(definition.models ?? {})) {
      if (model.provider !== "practice") continue;
      for (const name of [...Object.keys(model.lines ?? {}), ...Object.keys(model.asked ?? {})])
        assert.ok(names.includes(name));
      for (const name of names) assert.ok(model.lines?.[name] && model.asked?.[name], name);
    }
  });
}

test("the models that the sample team's comments offer are valid in the place of its own", () => {
  const offers = [...readFileSync(teamFile, "utf8").matchAll(/^# {3}models:\n((?:# {4,}.*\n)+)/gm)];
  assert.equal(offers.length, 2);
  for (const [offer] of offers) {
    const { models } = parse(offer.replaceAll(/^# {3}/gm, "")) as { models: unknown };
    const definition = TeamDefinition.parse({ ...team(), models });
    assert.equal(definition.models?.["default"]?.provider, "openai");
  }
});

test("the author's first line is long enough to be interrupted in mid-sentence, and short enough to be read", () => {
  const words = (said("author")[0] ?? "").split(/\s+/).length;
  assert.ok(words >= 60 && words <= 110, `${words} words`);
});

test("only the reviewer's last line ends the run, and no answer to a direct question does", () => {
  const lines = stepsOf("lines", "reviewer").map(({ say = "" }) => say.includes("APPROVED"));
  assert.deepEqual(lines, [false, false, true]);
  assert.ok(!stepsOf("asked", "reviewer").some(({ say = "" }) => say.includes("APPROVED")));
});

for (const participant of ["author", "reviewer", "tester"]) {
  test(`every tool call of the sample's ${participant} is one that it may make, and succeeds`, async () => {
    const allowed = team().participants.find(({ name }) => name === participant)?.tools ?? [];
    const root = copyOfSample();
    for (const { tool, input = {} } of stepsOf("lines", participant).flatMap(({ calls = [] }) => calls)) {
      assert.ok(allowed.includes(tool), tool);
      const output = tool === "runCommand" ? await runTests(root) : await callTool(root, tool, input);
      assert.doesNotMatch(output, /No line of/);
    }
  });
}

test("what the reviewer says of the code is true of it", () => {
  assert.equal(codeOf("reviewer").trim(), lineOf("src/split.js", 8).trim());
  assert.match(lineOf("src/split.js", 3), /Together they pay the bill/);
  assert.ok(fileText("README.md").includes("what the friends pay adds up to the bill"));
});

test("what the tester says of the tests is true of their run", async () => {
  const name = "the shares add up to the bill when it does not divide evenly";
  assert.ok(lineOf("test/split.test.js", 19).startsWith(`test("${name}"`));
  assert.ok(said("tester").join("\n").includes(name));
  const output = await runTests(copyOfSample());
  assert.match(output, /tests 4\b/);
  assert.match(output, /pass 3\b/);
  assert.match(output, /fail 1\b/);
  assert.match(output, /999 !== 1000/);
  assert.match(output, /exit code 1$/);
});

test("the author's fix mends the program, and gives the shares that the reviewer worked out", async () => {
  const root = copyOfSample();
  const file = join(root, "src", "split.js");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.slice(0, source.indexOf("export function")) + codeOf("author"));
  assert.match(await runTests(root), /pass 4\b[\s\S]*exit code 0$/);
  const shares = (bill: string) => callTool(root, "runCommand", { command: `node src/tab.js ${bill}` });
  assert.equal(await shares("10.00 Ana Ben Cleo"), "Ana    3.33\nBen    3.34\nCleo   3.33\nexit code 0");
  assert.equal(await shares("0.01 Ana Ben"), "Ana    0.01\nBen    0.00\nexit code 0");
});
