import assert from "node:assert/strict";
import { test } from "node:test";
import { contextWindow } from "./context-window.ts";

const model = { provider: "openai" as const, model: "m" };

test("a request may use the window less the reserve for the answer", () => {
  assert.equal(contextWindow({ ...model, contextWindow: 128_000, maxTokens: 8_000 }), 120_000);
  assert.equal(contextWindow({ ...model, contextWindow: 128_000 }), 128_000 - 4_096);
  assert.equal(contextWindow({ ...model, contextWindow: 4_000 }), 3_000);
  assert.equal(contextWindow({ ...model, contextWindow: 4_000, maxTokens: 9_000 }), 1);
});

test("without a window there is no limit", () => {
  assert.equal(contextWindow(model), undefined);
  assert.equal(contextWindow({ provider: "practice" }), undefined);
});
