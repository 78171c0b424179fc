import assert from "node:assert/strict";
import { test } from "node:test";
import { replaced, triggerAt } from "./triggers.ts";

test("a slash counts only at the start, a number sign at the start of any word", () => {
  assert.deepEqual(triggerAt("/in", 3), { kind: "command", start: 0, typed: "in" });
  assert.equal(triggerAt("see /in", 7), null);
  assert.equal(triggerAt("/usr/bin", 8), null);
  assert.deepEqual(triggerAt("fix #src/a", 10), { kind: "context", start: 4, typed: "src/a" });
  assert.deepEqual(triggerAt("(#a", 3), { kind: "context", start: 1, typed: "a" });
  assert.equal(triggerAt("issue#12", 8), null);
  assert.equal(triggerAt("#a b", 4), null);
  assert.deepEqual(triggerAt("@an", 3), { kind: "mention", start: 0, typed: "an" });
});

test("what is chosen replaces what was typed, and the caret is after it", () => {
  const trigger = { kind: "context", start: 4, typed: "sp" } as const;
  assert.deepEqual(replaced("fix #sp", trigger, "#split.js"), { text: "fix #split.js ", caret: 14 });
  assert.deepEqual(replaced("fix #sp now", trigger, "#split.js"), { text: "fix #split.js now", caret: 13 });
});
