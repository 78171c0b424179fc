import assert from "node:assert/strict";
import { test } from "node:test";
import { toolCallText } from "./tool-call-text.ts";

const call = (name: string, input: unknown) => ({ ref: "r1", name, participant: "tester", input });

test("an approval shows the command literally, and the folder it runs in", () => {
  const { question, detail, complete } = toolCallText(call("runCommand", { command: "node --test", cwd: "src" }), "/w");
  assert.equal(question, "tester wants to run a command.");
  assert.equal(detail, "Command:\nnode --test\n\nIn folder:\nsrc (of /w)");
  assert.equal(complete, true);
});

test("a command without a folder runs in the workspace's, and the approval says so", () => {
  assert.match(toolCallText(call("runCommand", { command: "ls" }), "/w").detail, /In folder:\n\/w$/);
});

test("an input with more in it than a command is shown whole, so that nothing is left out", () => {
  const { detail } = toolCallText(call("runCommand", { command: "ls", env: { PATH: "/evil" } }), "/w");
  assert.match(detail, /Input:\n\{"command":"ls","env":\{"PATH":"\/evil"\}\}/);
});

test("any other tool's approval shows its whole input", () => {
  const { question, detail } = toolCallText(call("deploy", { to: "production", force: true }), "/w");
  assert.equal(question, "tester wants to use the tool deploy.");
  assert.equal(detail, 'Input:\n{"to":"production","force":true}');
});

test("what hides in an input is written out, with a legend", () => {
  const { detail } = toolCallText(call("runCommand", { command: "ls \u202egnp" }), "/w");
  assert.match(detail, /ls ⟨U\+202E⟩gnp/);
  assert.match(detail, /Characters that would not show are written in ⟨ ⟩/);
});

test("an input too long for a dialog is cut there, says so, and is whole in the document", () => {
  const command = `echo ${"x".repeat(5000)}; rm y`;
  const { detail, whole, complete } = toolCallText(call("runCommand", { command }), "/w");
  assert.equal(complete, false);
  assert.match(detail, /only the beginning of \d+ characters/);
  assert.ok(whole.includes(command));
});
