import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonEquals } from "./json-equals.ts";

test("equal JSON has the same fields in any order, and the same list items in order", () => {
  for (const [one, other] of [
    [1, 1],
    ["a", "a"],
    [null, null],
    [
      { a: 1, b: [1, { c: null }] },
      { b: [1, { c: null }], a: 1 },
    ],
    [[], []],
    [{}, {}],
  ])
    assert.equal(jsonEquals(one, other), true, JSON.stringify([one, other]));
});

test("anything else is not equal", () => {
  for (const [one, other] of [
    [1, 2],
    [1, "1"],
    [0, false],
    [null, {}],
    [null, 0],
    [1, {}],
    ["a", ["a"]],
    [[], {}],
    [[1], { 0: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ toString: 1 }, { a: 1 }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
  ]) {
    assert.equal(jsonEquals(one, other), false, JSON.stringify([one, other]));
    assert.equal(jsonEquals(other, one), false, JSON.stringify([other, one]));
  }
  const inherited: unknown = Object.create({ a: 1 }, { b: { value: 2, enumerable: true } });
  assert.equal(jsonEquals({ a: 1 }, inherited), false);
});
