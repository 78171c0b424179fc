import assert from "node:assert/strict";
import { test } from "node:test";
import { closingLine, noTests, sum } from "./run-tests.ts";

test("the closing line of npm test adds up what every step counted", () => {
  const unit = { passed: 40, failed: 1, skipped: 0 };
  const editor = { passed: 3, failed: 0, skipped: 2 };
  assert.equal(closingLine(noTests), "0 passed, 0 failed");
  assert.equal(closingLine(unit), "40 passed, 1 failed");
  assert.equal(closingLine(sum(unit, editor)), "43 passed, 1 failed, 2 skipped");
});
