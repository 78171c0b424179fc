import assert from "node:assert/strict";
import { test } from "node:test";
import { promptOf } from "./prompt-content.ts";

const text = (content: string) => promptOf([{ type: "text", text: content }]);
const file = (uri: string) => promptOf([{ type: "resource", resource: { uri, text: "content" } }]);

test("A prompt is a task, a question to one participant, or goes on", () => {
  assert.deepEqual(text("Do it."), { kind: "task", task: "Do it." });
  assert.deepEqual(text("/continue"), { kind: "continue" });
  assert.deepEqual(text("/ask @bob Why?\nReally?"), { kind: "ask", to: "bob", text: "Why?\nReally?" });
  assert.deepEqual(text("/continued"), { kind: "task", task: "/continued" });
  for (const wrong of ["/ask", "/ask bob", ""]) assert.equal(text(wrong).kind, "wrong", wrong);
  assert.equal(promptOf([]).kind, "wrong");
});

test("An attached file has the name of its address, also one that encodes nothing", () => {
  for (const [uri, name] of [
    ["file:///a/b%20c.txt", "b c.txt"],
    ["file:///a/100%.txt", "100%.txt"],
    ["file:///a/%E0%A4%A.txt", "%E0%A4%A.txt"],
    ["file:///a/", "file"],
    ["", "file"],
  ] as const) {
    const resource = { kind: "file", name, uri };
    assert.deepEqual(file(uri), { kind: "task", task: [{ type: "text", text: "content", resource }] });
  }
});
