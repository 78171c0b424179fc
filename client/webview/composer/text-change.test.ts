import assert from "node:assert/strict";
import { test } from "node:test";
import { changeBetween } from "./text-change.ts";

test("what is common to two texts stays, before and after the change", () => {
  for (const [before, after] of [
    ["", "abc"],
    ["abc", ""],
    ["@te look", "@tester look"],
    ["aaa", "aaaa"],
    ["aaaa", "aa"],
    ["one two", "one 2"],
    ["same", "same"],
  ] as const) {
    const { start, end, middle } = changeBetween(before, after);
    assert.equal(before.slice(0, start) + middle + before.slice(end), after);
    assert.ok(start <= end);
  }
  assert.deepEqual(changeBetween("@te look", "@tester look"), { start: 3, end: 3, middle: "ster" });
});
