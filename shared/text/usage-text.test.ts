import assert from "node:assert/strict";
import { test } from "node:test";
import { costText, usageText } from "./usage-text.ts";

test("a cost has only significant digits, at every size", () => {
  const shown = [0, 0.000_01, 0.000_12, 0.0042, 0.0126, 0.5, 0.999, 1, 12.345, 1234.5].map(costText);
  assert.deepEqual(shown, [
    "$0",
    "<$0.0001",
    "$0.0001",
    "$0.0042",
    "$0.013",
    "$0.50",
    "$1.00",
    "$1.00",
    "$12.35",
    "$1235",
  ]);
});

test("usage includes its cost if known", () => {
  assert.equal(usageText({ total: 1234 }), "1.2k tokens");
  assert.equal(usageText({ total: 1, cost: 0.02 }), "1 token · $0.020");
});
