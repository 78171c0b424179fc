import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextItem } from "../model.ts";
import { frameTokens, itemTokens } from "./tokens.ts";

test("calls, results, images and names all count", () => {
  const user = (content: Extract<ContextItem, { role: "user" }>["content"]): ContextItem => ({
    role: "user",
    source: "ann",
    content,
  });
  const call = { ref: "c1", name: "look", input: { path: "a".repeat(350) } };

  assert.ok(itemTokens({ role: "assistant", content: "", calls: [call] }) > 100);
  assert.ok(
    itemTokens({ role: "tool", ref: "c1", name: "look", output: { text: "a".repeat(350) }, isError: false }) > 100,
  );
  assert.ok(itemTokens(user([{ type: "image", uri: "data:," }])) > itemTokens(user("[image]")) + 500);
  const tool = { name: "look", description: "Looks.", inputSchema: { type: "object" } };
  assert.ok(frameTokens("Be brief.", [tool], { type: "object" }) > frameTokens("Be brief.", [tool]));
  assert.ok(frameTokens("Be brief.", [tool]) > frameTokens("Be brief.", []));
});
