import assert from "node:assert/strict";
import { test } from "node:test";
import { keyFor, keyVariable, usualKey } from "./environment-keys.ts";

const variables = {
  PATH: "/bin",
  OPENAI_API_KEY: "o",
  ANTHROPIC_API_KEY: "a",
  GEMINI_API_KEY: "g",
  GAVEL_KEY_MY_PROXY: "p",
  Gavel_Key_Other: "q",
};

test("A key goes to the endpoint that it is for: by its name, or to the provider's own", () => {
  assert.equal(keyVariable("my-proxy"), "GAVEL_KEY_MY_PROXY");
  assert.equal(keyFor("my-proxy", "https://proxy.example.com", variables), "p");
  assert.equal(keyFor("openai", "https://api.openai.com", variables), "o");
  for (const origin of [
    "https://api.openai.com.evil.example",
    "http://api.openai.com",
    "https://evil.example",
    "toString",
  ])
    assert.equal(keyFor("openai", origin, variables), null, origin);
});

test("OpenAI's usual key goes to OpenAI's own endpoint alone without a question", () => {
  assert.equal(usualKey("OPENAI_API_KEY", "https://api.openai.com", variables), "o");
  assert.equal(usualKey("OPENAI_API_KEY", "https://evil.example", variables), null);
  assert.equal(usualKey("other", "https://api.openai.com", variables), null);
  assert.equal(usualKey("ANTHROPIC_API_KEY", "https://api.anthropic.com", variables), null);
  assert.equal(usualKey("OPENAI_API_KEY", "https://api.openai.com", {}), null);
});
