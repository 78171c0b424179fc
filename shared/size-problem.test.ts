import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeProblem } from "./size-problem.ts";

const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

test("lists and maps count as levels, and a value may have exactly as many as the limit", () => {
  assert.equal(sizeProblem(nested(3), { depth: 3 }), undefined);
  assert.equal(sizeProblem({ a: [{}] }, { depth: 3 }), undefined);
  assert.equal(sizeProblem({ a: [{ b: "c" }] }, { depth: 2 }), "is nested more than 2 levels deep; make it flatter");
  assert.match(sizeProblem(nested(200_000), { depth: 200 }) ?? "", /nested more than 200 levels/);
});

test("the characters of texts and keys and the other values are counted, all together or of each text", () => {
  const value = { abc: ["defg", { hi: "j" }, 123456789, null, true] };
  assert.equal(sizeProblem(value, { depth: 9, characters: 16, text: 4 }), undefined);
  assert.equal(sizeProblem(value, { depth: 9, characters: 15 }), "has more than 15 characters; make it shorter");
  assert.equal(sizeProblem(value, { depth: 9, text: 3 }), "has a text of more than 3 characters; make it shorter");
});

test("a value that is no list or map has no levels", () => {
  for (const value of [undefined, null, 1, "text", true]) assert.equal(sizeProblem(value, { depth: 0 }), undefined);
});
