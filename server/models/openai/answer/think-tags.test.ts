import assert from "node:assert/strict";
import { test } from "node:test";
import { ThinkTags } from "./think-tags.ts";

/** What is told of a text that comes in these pieces, joined by kind. */
function told(...pieces: readonly string[]) {
  const tags = new ThinkTags();
  const parts = [...pieces.flatMap((piece) => tags.take(piece)), ...tags.rest()];
  const of = (kind: string) => parts.map((part) => (part.type === kind && "delta" in part ? part.delta : "")).join("");
  return { thought: of("thought"), text: of("text") };
}

test("what stands between the tags at the beginning is thought, wherever the pieces are cut", () => {
  const answer = "\n<think>\nTwo < three,\nso </yes>.</think>\n\n  It is <think>so</think>.";
  const expected = { thought: "Two < three,\nso </yes>.", text: "It is <think>so</think>." };
  for (let at = 0; at <= answer.length; at += 1) {
    assert.deepEqual(told(answer.slice(0, at), answer.slice(at)), expected, `cut at ${at}`);
  }
  assert.deepEqual(told(...answer), expected);
});

test("a text that only looks as if it began with a tag is all text, its white space kept", () => {
  for (const text of ["  <thin ice", "<", "\n\n", "<thinking>", "Hm. <think>no</think>", ""]) {
    assert.deepEqual(told(...text), { thought: "", text }, text);
    assert.deepEqual(told(text), { thought: "", text }, text);
  }
});

test("no thought is told of tags with nothing between them", () => {
  assert.deepEqual(told("<think>", "\n\n", "</think>\n\n", "Yes."), { thought: "", text: "Yes." });
});

test("thoughts that are never closed stay thoughts", () => {
  assert.deepEqual(told("<think>On and on </thin"), { thought: "On and on </thin", text: "" });
});

test("thoughts and text are told as they come", () => {
  const tags = new ThinkTags();
  assert.deepEqual(tags.take("<think>First"), [{ type: "thought", delta: "First" }]);
  assert.deepEqual(tags.take(" then"), [{ type: "thought", delta: " then" }]);
  assert.deepEqual(tags.take(".</think>So"), [
    { type: "thought", delta: "." },
    { type: "text", delta: "So" },
  ]);
  assert.deepEqual(tags.take(" "), [{ type: "text", delta: " " }]);
});
