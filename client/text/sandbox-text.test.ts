import assert from "node:assert/strict";
import { test } from "node:test";
import { sandboxText } from "./sandbox-text.ts";
import { toolCallText } from "./tool-call-text.ts";

test("the user reads whether a command would run in the sandbox, and if not, why", () => {
  assert.match(sandboxText({ sandbox: "on" }) ?? "", /^It runs in the sandbox:/);
  const off = sandboxText({ sandbox: "off", reason: "bubblewrap is not installed" }) ?? "";
  assert.match(off, /^It runs without a sandbox \(bubblewrap is not installed\):/);
  assert.equal(sandboxText(null), undefined);
  assert.equal(sandboxText({ problem: "no folder" }), undefined);
});

test("the dialog of a command that failed in the sandbox shows the command, why it failed, and what outside means", () => {
  const interrupt = { kind: "runOutsideSandbox", reason: "it may not connect to a\u202Eb", output: "", question: "?" };
  const call = { ref: "c", name: "runCommand", participant: "ann", input: { command: "npm i" }, interrupt };
  const { question, detail } = toolCallText(call, "/w");
  assert.equal(question, "A command of ann failed in the sandbox. Run it outside the sandbox?");
  assert.match(detail, /^It failed: it may not connect to a⟨U\+202E⟩b\.\n\nOutside the sandbox the command can/);
  assert.match(detail, /Command:\nnpm i\n\nIn folder:\n\/w/);
});
