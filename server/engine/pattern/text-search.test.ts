import assert from "node:assert/strict";
import { test } from "node:test";
import { type RandomInt, seededRandom } from "../testing/random.ts";
import { TextSearch } from "./text-search.ts";

const letters = (random: RandomInt, length: number): string =>
  Array.from({ length }, () => (random(4) === 0 ? "b" : "a")).join("");

test("a part is found where JavaScript finds it, in one piece and in many", () => {
  const random = seededRandom(11);
  for (let round = 0; round < 2_000; round++) {
    const text = letters(random, 200);
    const start = random(200);
    const part = random(2) === 0 ? text.slice(start, start + 40) : letters(random, 1 + random(30));
    const search = new TextSearch(part);
    assert.equal(search.isIn(text), text.includes(part), `${part} in ${text}`);
    const reader = search.reader();
    for (const letter of text) reader.read(letter, 0, { left: 1 });
    assert.equal(reader.isMatched, text.includes(part), `${part} in ${text}`);
  }
});

test("a part that nearly matches everywhere costs one step for each character", () => {
  const part = `${"a".repeat(500)}b${"a".repeat(499)}`;
  const text = "a".repeat(100_000);
  const work = { left: text.length };

  assert.equal(new TextSearch(part).reader().read(text, 0, work), text.length);
  assert.equal(work.left, 0);
});
