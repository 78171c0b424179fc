import assert from "node:assert/strict";
import { test } from "node:test";
import { sandboxText } from "./sandbox-text.ts";

test("the user reads whether a command would run in the sandbox, and if not, why", () => {
  assert.match(sandboxText({ sandbox: "on" }) ?? "", /^It runs in the sandbox:/);
  const off = sandboxText({ sandbox: "off", reason: "bubblewrap is not installed" }) ?? "";
  assert.match(off, /^It runs without a sandbox \(bubblewrap is not installed\):/);
  assert.equal(sandboxText(null), undefined);
  assert.equal(sandboxText({ problem: "no folder" }), undefined);
});
