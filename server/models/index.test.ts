import assert from "node:assert/strict";
import { test } from "node:test";
import { createModel } from "./index.ts";
import { noKeys } from "./testing/collect.ts";

test("each provider's model has a label that the user recognizes", () => {
  assert.equal(createModel({ provider: "practice" }, noKeys).label, "practice");
  assert.equal(createModel({ provider: "openai", model: "gpt-5" }, noKeys).label, "gpt-5 at api.openai.com");
  const local = { provider: "openai", model: "qwen", baseUrl: "http://localhost:11434/v1/" } as const;
  assert.equal(createModel(local, noKeys).label, "qwen at localhost:11434");
  const azure = { provider: "azure", endpoint: "https://ours.openai.azure.com/", deployment: "our-gpt" } as const;
  assert.equal(createModel(azure, noKeys).label, "our-gpt at ours.openai.azure.com");
});
