import assert from "node:assert/strict";
import { test } from "node:test";
import { textTokens } from "./tokens.ts";

test("English is counted by characters, and rather too high than too low", () => {
  // 10 tokens in GPT-4's and GPT-5's own counts.
  const text = "The quick brown fox jumps over the lazy dog.";
  assert.ok(textTokens(text) >= 10 && textTokens(text) <= 15, `${textTokens(text)}`);
  assert.equal(textTokens(""), 0);
});

test("other scripts take about one token per character", () => {
  assert.equal(textTokens("会議を始めます"), 7);
});
