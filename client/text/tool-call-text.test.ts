import assert from "node:assert/strict";
import { test } from "node:test";
import { toolCallText } from "./tool-call-text.ts";

const call = (name: string, input: unknown) => ({ ref: "r1", name, participant: "tester", input });

test("the dialog shows the command literally, and the folder it runs in", () => {
  const { question, detail, complete } = toolCallText(call("runCommand", { command: "node --test", cwd: "src" }), "/w");
  assert.equal(question, "tester wants to run a command.");
  assert.equal(detail, "Command:\nnode --test\n\nIn folder:\nsrc (in /w)");
  assert.equal(complete, true);
});

test("a command without a folder runs in the workspace folder, and the dialog says so", () => {
  assert.match(toolCallText(call("runCommand", { command: "ls" }), "/w").detail, /In folder:\n\/w$/);
});

test("an input with more than a command is shown in full", () => {
  const { detail } = toolCallText(call("runCommand", { command: "ls", env: { PATH: "/evil" } }), "/w");
  assert.match(detail, /Input:\n\{"command":"ls","env":\{"PATH":"\/evil"\}\}/);
});

test("the dialog of any other tool shows its full input", () => {
  const { question, detail } = toolCallText(call("deploy", { to: "production", force: true }), "/w");
  assert.equal(question, "tester wants to use the tool deploy.");
  assert.equal(detail, 'Input:\n{"to":"production","force":true}');
});

test("invisible characters of an input are written out, with a legend", () => {
  const { detail } = toolCallText(call("runCommand", { command: "ls \u202egnp" }), "/w");
  assert.match(detail, /ls ⟨U\+202E⟩gnp/);
  assert.match(detail, /Invisible characters are written as ⟨ ⟩/);
});

test("a call that needs approval although a rule allows its tool says why", () => {
  const reason = "package.json can run commands (package managers run its scripts), so this call needs approval.";
  const asked = { ...call("writeFile", { path: "package.json" }), approval: true as const, reason };
  assert.equal(toolCallText(asked, "/w").detail, `${reason}\n\nInput:\n{"path":"package.json"}`);
});

test("an input that is too long for a dialog is cut there, which the dialog says; the document has all of it", () => {
  const command = `echo ${"x".repeat(5000)}; rm y`;
  const { detail, whole, complete } = toolCallText(call("runCommand", { command }), "/w");
  assert.equal(complete, false);
  assert.match(detail, /the first characters of \d+/);
  assert.ok(whole.includes(command));
});
