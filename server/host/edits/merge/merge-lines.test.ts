import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hunksOf, linesOf } from "./line-hunks.ts";
import { mergeLines } from "./merge-lines.ts";

const lines = (text: string): readonly string[] => linesOf(text.split(" ").join("\n"));
const merged = (from: string, to: string, onto: string) => {
  const { lines: found, conflicts } = mergeLines(lines(from), lines(to), lines(onto));
  return [found.map((line) => line.trim()).join(" "), conflicts.length];
};

describe("a merge by lines", () => {
  it("makes changes that are apart in both texts, before and after each other", () => {
    assert.deepEqual(merged("a b c d e", "a B c d e", "a b c D e"), ["a B c D e", 0]);
    assert.deepEqual(merged("a b c d e", "a b c D e", "x a b b2 c d e"), ["x a b b2 c D e", 0]);
    assert.deepEqual(merged("a b c d e", "b c d", "a b x c d e"), ["b x c d", 0]);
  });

  it("makes a change beside another, such as a line added below one that is removed", () => {
    assert.deepEqual(merged("a t b", "a t u b", "a b"), ["a u b", 0]);
    assert.deepEqual(merged("a t b", "a u t b", "a b"), ["a u b", 0]);
    assert.deepEqual(merged("a t b c", "a t B c", "a T b c"), ["a T B c", 0]);
  });

  it("leaves out a change of the same lines, and what is inserted at the same place", () => {
    assert.deepEqual(merged("a b c", "a X c", "a Y c"), ["a Y c", 1]);
    assert.deepEqual(merged("a b", "a x b", "a y b"), ["a y b", 1]);
    assert.deepEqual(merged("a b c d", "a X c Y", "a Z c d"), ["a Z c Y", 1]);
  });

  it("takes a change that both have made once", () => {
    assert.deepEqual(merged("a b c", "a X c", "a X c"), ["a X c", 0]);
  });

  it("keeps each line's own line break, and a last line without one", () => {
    const { lines: found } = mergeLines(linesOf("a\r\nb\nc"), linesOf("a\r\nB\nc"), linesOf("A\r\nb\nc"));
    assert.equal(found.join(""), "A\r\nB\nc");
    const ends = mergeLines(linesOf("a\nb"), linesOf("a\nb\n"), linesOf("A\nb"));
    assert.equal(ends.lines.join(""), "A\nb\n");
  });

  it("is the other text where one side has changed nothing, whatever the texts are", () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    const text = () => Array.from({ length: random(12) }, () => `${"abcdef"[random(6)]}\n`);
    for (let round = 0; round < 2000; round++) {
      const [a, b] = [text(), text()];
      assert.deepEqual(mergeLines(a, b, a), { lines: b, conflicts: [] });
      assert.deepEqual(mergeLines(a, a, b), { lines: b, conflicts: [] });
      assert.deepEqual(mergeLines(a, b, b), { lines: b, conflicts: [] });
    }
  });
});

it("a diff of long texts that have many changes counts its steps by lines, not by their square", () => {
  const a = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`);
  const b = a.map((line, at) => (at % 4 === 0 ? `other ${at}\n` : line));
  assert.equal(hunksOf(a, b).length, 5000);
});
