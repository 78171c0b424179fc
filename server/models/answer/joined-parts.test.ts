import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelPart } from "../../engine/model.ts";
import { joinedParts } from "./joined-parts.ts";

const text = (delta: string): ModelPart => ({ type: "text", delta });
const thought = (delta: string): ModelPart => ({ type: "thought", delta });
const calls: ModelPart = { type: "calls", calls: [] };

test("text after text and thoughts after thoughts are one part, in their order with the others", () => {
  const parts = [thought("a"), thought("b"), text("c"), text("d"), text("e"), calls, text("f"), thought("g")];
  assert.deepEqual([...joinedParts(parts)], [thought("ab"), text("cde"), calls, text("f"), thought("g")]);
  assert.deepEqual([...joinedParts([])], []);
});

test("what came before an error is passed on before it", () => {
  const seen: ModelPart[] = [];
  const failing = function* () {
    yield text("a");
    yield text("b");
    throw new Error("broken");
  };
  assert.throws(() => {
    for (const part of joinedParts(failing())) seen.push(part);
  }, /broken/);
  assert.deepEqual(seen, [text("ab")]);
});
