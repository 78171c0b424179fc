import assert from "node:assert/strict";
import { test } from "node:test";
import { ThinkTags } from "./think-tags.ts";

/** The thoughts and the text of these pieces. */
function split(...pieces: readonly string[]) {
  const tags = new ThinkTags();
  const parts = [...pieces.flatMap((piece) => tags.add(piece)), ...tags.finish()];
  const of = (kind: string) => parts.map((part) => (part.type === kind && "delta" in part ? part.delta : "")).join("");
  return { thought: of("thought"), text: of("text") };
}

test("text between tags at the start is a thought, wherever the pieces are cut", () => {
  const answer = "\n<think>\nTwo < three,\nso </yes>.</think>\n\n  It is <think>so</think>.";
  const expected = { thought: "Two < three,\nso </yes>.", text: "It is <think>so</think>." };
  for (let at = 0; at <= answer.length; at += 1) {
    assert.deepEqual(split(answer.slice(0, at), answer.slice(at)), expected, `cut at ${at}`);
  }
  assert.deepEqual(split(...answer), expected);
});

test("a text that only seems to start with a tag is text, its white space kept", () => {
  for (const text of ["  <thin ice", "<", "\n\n", "<thinking>", "Hm. <think>no</think>", ""]) {
    assert.deepEqual(split(...text), { thought: "", text }, text);
    assert.deepEqual(split(text), { thought: "", text }, text);
  }
});

test("tags with nothing between them are no thought", () => {
  assert.deepEqual(split("<think>", "\n\n", "</think>\n\n", "Yes."), { thought: "", text: "Yes." });
});

test("thoughts that are never closed stay thoughts", () => {
  assert.deepEqual(split("<think>On and on </thin"), { thought: "On and on </thin", text: "" });
});

test("thoughts and text are passed on as they arrive", () => {
  const tags = new ThinkTags();
  assert.deepEqual(tags.add("<think>First"), [{ type: "thought", delta: "First" }]);
  assert.deepEqual(tags.add(" then"), [{ type: "thought", delta: " then" }]);
  assert.deepEqual(tags.add(".</think>So"), [
    { type: "thought", delta: "." },
    { type: "text", delta: "So" },
  ]);
  assert.deepEqual(tags.add(" "), [{ type: "text", delta: " " }]);
});
