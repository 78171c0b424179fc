import assert from "node:assert/strict";
import { test } from "node:test";
import { type Chip, chipsLeftOver } from "./chips-that-fit.ts";

const space = { width: 100, gap: 4, lines: 2, more: 20 };
const chips = (count: number, active: readonly number[] = []): readonly Chip[] =>
  Array.from({ length: count }, (_, at) => ({ width: 48, rank: active.includes(at) ? 1 : 0 }));

test("chips that fit are all shown", () => {
  assert.deepEqual([...chipsLeftOver([], space)], []);
  assert.deepEqual([...chipsLeftOver(chips(4), space)], []);
});

test("the last chips are left over, with room for the one that stands for them", () => {
  assert.deepEqual([...chipsLeftOver(chips(6), space)], [5, 4, 3]);
});

test("active chips are left over after idle ones", () => {
  assert.deepEqual([...chipsLeftOver(chips(6, [4, 5]), space)], [3, 2, 1]);
  assert.deepEqual([...chipsLeftOver(chips(5, [0, 1, 2, 3, 4]), space)], [4, 3]);
});

test("what waits for the user is left over last", () => {
  const waiting = chips(6, [0, 1, 2, 3, 4]).map((chip, at): Chip => (at === 5 ? { ...chip, rank: 2 } : chip));
  assert.deepEqual([...chipsLeftOver(waiting, space)], [4, 3, 2]);
});

test("a space without width has no chips", () => {
  assert.equal(chipsLeftOver(chips(3), { ...space, width: 0 }).size, 3);
});
