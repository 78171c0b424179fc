import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelDefinition } from "../../shared/contract/definition.ts";
import { modelFacts } from "../../shared/state/model-choice.ts";
import { factsText } from "./model-facts.ts";

const openai = (more: object = {}): ModelDefinition => ({ provider: "openai", model: "m", ...more });

const FACTS: readonly (readonly [ModelDefinition, string])[] = [
  [openai(), "at OpenAI"],
  [openai({ baseUrl: "http://127.0.0.1:11434/v1" }), "on this computer, at 127.0.0.1:11434"],
  [openai({ baseUrl: "http://localhost:1234/v1" }), "on this computer, at localhost:1234"],
  // Only what URL reads as this computer is called so.
  [openai({ baseUrl: "http://localhost.example.com/v1" }), "at localhost.example.com"],
  [openai({ baseUrl: "https://me:secret@Gateway.example.com/v1?k=1" }), "at gateway.example.com"],
  [
    openai({ contextWindow: 128_000, price: { prompt: 1.25, completion: 10, cachedPrompt: 0.1 } }),
    "128,000 tokens of context · $1.25 in, $10 out per million tokens · at OpenAI",
  ],
  [openai({ price: { prompt: 0.075, completion: 0.3 } }), "$0.075 in, $0.30 out per million tokens · at OpenAI"],
  [openai({ price: { prompt: 0, completion: 0 } }), "free of charge · at OpenAI"],
  [{ provider: "anthropic", model: "m" }, "at Anthropic"],
  [{ provider: "gemini", model: "m" }, "at Google"],
  [
    { provider: "azure", endpoint: "https://company.openai.azure.com", deployment: "d", apiVersion: "v1" },
    "at company.openai.azure.com",
  ],
  [
    { provider: "vscode", vendor: "copilot", contextWindow: 64_000 },
    "64,000 tokens of context · through VS Code, by copilot",
  ],
  [{ provider: "vscode" }, "through VS Code"],
  [{ provider: "practice" }, ""],
];

for (const [model, expected] of FACTS) {
  test(`${JSON.stringify(model)}: ${expected === "" ? "nothing is known" : expected}`, () => {
    assert.equal(factsText(modelFacts(model)), expected);
  });
}
