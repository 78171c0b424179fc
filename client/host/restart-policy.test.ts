import assert from "node:assert/strict";
import { test } from "node:test";
import { RestartPolicy } from "./restart-policy.ts";

test("a host that exits is restarted, but no more often than the limit within the window", () => {
  const policy = new RestartPolicy(2, 1000);
  assert.deepEqual([policy.allows(0), policy.allows(10), policy.allows(20)], [true, true, false]);
});

test("a restart before the window no longer counts", () => {
  const policy = new RestartPolicy(1, 1000);
  assert.deepEqual([policy.allows(0), policy.allows(999), policy.allows(1000)], [true, false, true]);
});

test("a restart by the user resets the count", () => {
  const policy = new RestartPolicy(1, 1000);
  policy.allows(0);
  policy.reset();
  assert.equal(policy.allows(1), true);
});
