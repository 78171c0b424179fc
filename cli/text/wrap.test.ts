import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf, cut, headOf, wrap } from "./wrap.ts";

test("Text is divided between words, at its own line ends, and within a word that is longer than a line", () => {
  assert.deepEqual(wrap("one two three\n\nfour", 10), ["one two", "three", "", "four"]);
  assert.deepEqual(wrap("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
  assert.deepEqual(wrap("one abcdefghijkl two", 8), ["one", "abcdefgh", "ijkl two"]);
});

test("The lines that follow an item of a list are indented like its text", () => {
  assert.deepEqual(wrap("- one two three four", 12), ["- one two", "  three four"]);
  assert.deepEqual(wrap("1. abcdefghijklmnop", 10), ["1.", "   abcdefg", "   hijklmn", "   op"]);
});

test("No line is wider than asked for, also with wide characters and characters of many code units", () => {
  for (const word of ["漢字", "é", "👩‍👩‍👧‍👦", "e\u0301", "\u0301", "x"]) {
    for (const text of [word.repeat(100), `${word} `.repeat(100), `- ${word.repeat(50)}`]) {
      const lines = wrap(text, 20);
      for (const line of lines) assert.ok(columnsOf(line) <= 20, `${JSON.stringify(line)} of ${JSON.stringify(word)}`);
      assert.equal(lines.join("").replaceAll(/[\s-]/g, ""), text.replaceAll(/[\s-]/g, ""));
    }
  }
});

test("A start that fits does not end with half a character", () => {
  assert.equal(headOf("ab漢", 3), "ab");
  assert.equal(headOf("👍".repeat(1000), 1000), "👍".repeat(500));
  assert.equal(cut("abcdef", 4), "abc…");
  assert.equal(cut("abcd", 4), "abcd");
});

// Each line once measured all that was left: this took hours.
test("A word of millions of characters is divided", () => {
  assert.equal(wrap("x".repeat(2_000_000), 100).length, 20_000);
  assert.equal(wrap(`- ${"x".repeat(980_000)}`, 100).length, 10_001);
  assert.equal(wrap("é".repeat(200_000), 100).length, 2_000);
});
