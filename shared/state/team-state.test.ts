import assert from "node:assert/strict";
import { test } from "node:test";
import { Usage } from "../contract/message.ts";
import { addUsage } from "./team-state.ts";

test("a sum of usages is always one that JSON has, however large the numbers are", () => {
  const large: Usage = { prompt: 1.7e308, completion: 1, total: 1.7e308, cost: 1.7e308 };
  const sum = addUsage(large, large);
  assert.deepEqual(Usage.parse(JSON.parse(JSON.stringify(sum))), sum);
  assert.equal(sum.completion, 2);
  assert.equal(addUsage(sum, { prompt: 1, completion: 1, total: 1 }).completion, 3);
});
