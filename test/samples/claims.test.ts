import assert from "node:assert/strict";
import { test } from "node:test";
import {
  copyOfSample,
  fileText,
  lastCodeBlock,
  lineOf,
  replaceSplit,
  runSampleTests,
  scriptOf,
  scriptSteps,
  shares,
  textsOf,
} from "./sample.ts";

const review = "review.team.yaml";

test("the author's first line is long enough to be interrupted in mid-sentence, and short enough to be read", () => {
  const [first] = scriptSteps(review, "author").flatMap(({ say }) => say ?? []);
  const words = (first ?? "").split(/\s+/).length;
  assert.ok(words >= 60 && words <= 110, `${words} words`);
});

test("only the last line of the participant that ends a run ends it, and no answer to a directed message does", () => {
  for (const [file, name, word] of [
    [review, "reviewer", "APPROVED"],
    ["debug.team.yaml", "skeptic", "HOLDS"],
    ["support.team.yaml", "writer", "CLOSED"],
    ["wording.team.yaml", "readers", "PUBLISH"],
  ] as const) {
    const lines = scriptSteps(file, name).map(({ say = "" }) => say.includes(word));
    assert.deepEqual(lines, [...lines.slice(1).map(() => false), true], file);
    const answers = scriptOf(file, "asked").get(name) ?? [];
    assert.ok(!answers.some(({ say = "" }) => say.includes(word)), file);
  }
});

test("claims about the code are true", () => {
  const [fault = ""] = /return weights\.map.*/.exec(textsOf(review, "reviewer")) ?? [];
  assert.equal(fault, lineOf("src/split.js", 8).trim());
  assert.match(lineOf("src/split.js", 3), /Together they pay the bill/);
  assert.ok(fileText("README.md").includes("what the friends pay adds up to the bill"));
  // The reader in plan.team.yaml names three lines of src/money.js, and says that no other file has their number.
  assert.ok(lineOf("src/money.js", 3).includes("\\d{2}"));
  assert.ok(lineOf("src/money.js", 5).includes("* 100"));
  assert.match(lineOf("src/money.js", 10), /\/ 100.*padStart\(2/);
  assert.doesNotMatch(fileText("src/split.js") + fileText("src/tab.js"), /100/);
});

test("claims about the program before the fix are true", async () => {
  const root = copyOfSample();
  assert.equal(await shares(root, "10.00 Ana Ben Cleo"), "Ana    3.33\nBen    3.33\nCleo   3.33\nexit code 0");
  assert.match(await shares(root, "10000 Ana Ben Cleo"), /^Ana {4}3333\.33$/m);
});

test("the tester's claims about the tests are true", async () => {
  const name = "the shares add up to the bill when it does not divide evenly";
  assert.ok(lineOf("test/split.test.js", 19).startsWith(`test("${name}"`));
  assert.ok(textsOf(review, "tester").includes(name));
  const output = await runSampleTests(copyOfSample());
  assert.match(output, /tests 4\b/);
  assert.match(output, /pass 3\b/);
  assert.match(output, /fail 1\b/);
  assert.match(output, /999 !== 1000/);
  assert.match(output, /exit code 1$/);
});

test("the author's fix makes the tests pass, and gives the shares that the reviewer worked out", async () => {
  const root = copyOfSample();
  replaceSplit(root, lastCodeBlock(review, "author"));
  assert.match(await runSampleTests(root), /pass 4\b[\s\S]*exit code 0$/);
  assert.equal(await shares(root, "10.00 Ana Ben Cleo"), "Ana    3.33\nBen    3.34\nCleo   3.33\nexit code 0");
  assert.equal(await shares(root, "0.01 Ana Ben"), "Ana    0.01\nBen    0.00\nexit code 0");
});

test("the fixer's fix makes the tests pass, and gives the shares that the skeptic worked out", async () => {
  const root = copyOfSample();
  replaceSplit(root, lastCodeBlock("debug.team.yaml", "fixer"));
  assert.match(await runSampleTests(root), /pass 4\b[\s\S]*exit code 0$/);
  assert.equal(
    await shares(root, "10.00 Ana:0 Ben Cleo Dee"),
    "Ana    0.00\nBen    3.34\nCleo   3.33\nDee    3.33\nexit code 0",
  );
  assert.equal(await shares(root, "0.01 Ana Ben"), "Ana    0.01\nBen    0.00\nexit code 0");
});

test("the fix that the skeptic refuted gives what the skeptic says", async () => {
  const root = copyOfSample();
  const [first = ""] = /const shares[\s\S]*?;\n```/.exec(textsOf("debug.team.yaml", "fixer")) ?? [];
  const body = `const total = weights.reduce((sum, weight) => sum + weight, 0);\n${first.slice(0, -3)}`;
  replaceSplit(root, `export function split(cents, weights) {\n${body}}\n`);
  assert.match(await shares(root, "10.00 Ana:0 Ben Cleo Dee"), /^Ana {4}0\.01$/m);
});

test("the accepted draft makes the tests pass, and gives the shares that were worked out", async () => {
  const root = copyOfSample();
  replaceSplit(root, `export function split(cents, weights) {\n${lastCodeBlock("change.team.yaml", "drafter")}}\n`);
  assert.match(await runSampleTests(root), /pass 4\b[\s\S]*exit code 0$/);
  assert.equal(await shares(root, "10.00 Ana Ben Cleo"), "Ana    3.33\nBen    3.34\nCleo   3.33\nexit code 0");
  assert.match(await shares(root, "0.01 Ana:0 Ben Cleo"), /^Ana {4}0\.00\nBen {4}0\.01\nCleo {3}0\.00$/m);
});
