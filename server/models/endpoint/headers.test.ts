import assert from "node:assert/strict";
import { test } from "node:test";
import { headersFor } from "./headers.ts";
import type { Key } from "./key.ts";

const key: Key = { value: "sk-1", origin: { kind: "environment" } };

test("the environment's organization and project are sent to OpenAI, and nowhere else", (context) => {
  const before = { ...process.env };
  context.after(() => (process.env = before));
  process.env = { ...before, OPENAI_ORG_ID: " org-1\n", OPENAI_PROJECT_ID: "proj-1" };
  const openAi = headersFor({ provider: "openai", model: "m" }, key);
  assert.deepEqual(
    [openAi["OpenAI-Organization"], openAi["OpenAI-Project"], openAi["Authorization"]],
    ["org-1", "proj-1", "Bearer sk-1"],
  );
  const elsewhere = [
    headersFor({ provider: "openai", model: "m", baseUrl: "http://localhost/v1" }, key),
    headersFor({ provider: "azure", endpoint: "https://a.openai.azure.com", deployment: "m" }, key),
  ];
  for (const headers of elsewhere) assert.doesNotMatch(JSON.stringify(headers), /org-1|proj-1/);
});
