import assert from "node:assert/strict";
import { test } from "node:test";
import { costOf } from "./price.ts";

const price = { prompt: 2, completion: 8, cachedPrompt: 0.5 };

test("prompt, cached prompt and completion each cost their price per million tokens", () => {
  assert.equal(costOf({ prompt: 1_000_000, completion: 500_000, cached: 400_000 }, price), 1.2 + 0.2 + 4);
});

test("cached tokens cost as much as others without a separate price", () => {
  assert.equal(costOf({ prompt: 1_000_000, completion: 0, cached: 400_000 }, { prompt: 2, completion: 8 }), 2);
});

test("a free model costs nothing, and more cached tokens than prompt tokens do not lower the cost", () => {
  assert.equal(costOf({ prompt: 9, completion: 9, cached: 9 }, { prompt: 0, completion: 0 }), 0);
  assert.equal(costOf({ prompt: 1_000_000, completion: 0, cached: 9_000_000 }, price), 0.5);
});
