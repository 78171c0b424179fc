import assert from "node:assert/strict";
import { test } from "node:test";
import { split } from "../src/split.js";

const sum = (shares) => shares.reduce((total, share) => total + share, 0);

test("friends of one weight pay the same", () => {
  assert.deepEqual(split(3000, [1, 1, 1]), [1000, 1000, 1000]);
});

test("a friend of weight 2 pays twice as much", () => {
  assert.deepEqual(split(6000, [2, 1, 1]), [3000, 1500, 1500]);
});

test("a bill needs someone who pays", () => {
  assert.throws(() => split(1000, [0, 0]), /Someone has to pay/);
});

test("the shares add up to the bill when it does not divide evenly", () => {
  assert.equal(sum(split(1000, [1, 1, 1])), 1000);
});
