import assert from "node:assert/strict";
import { test } from "node:test";
import { compileTest, TextScan, type TextTest } from "./text-scan.ts";

/** The index of the piece that makes the test match; -1 for never. */
function metAfter(wanted: TextTest, ...pieces: readonly string[]): number {
  const scan = new TextScan(compileTest(wanted));
  return pieces.findIndex((piece) => {
    scan.add(piece);
    return scan.isMatched;
  });
}

test("a text is found across pieces, as soon as its last character is there", () => {
  assert.equal(metAfter({ contains: "rm -rf" }, "then r", "m -", "rf /", "x"), 2);
  assert.equal(metAfter({ contains: "rm -rf" }, "rm -", "r", "x"), -1);
});

test("a regular expression matches across pieces, and a test with both needs both", () => {
  assert.equal(metAfter({ matches: "rm +-r" }, "then rm", "  ", "-r"), 2);
  assert.equal(metAfter({ contains: "b", matches: "a+" }, "aa", "c", "b"), 2);
});

test("a match that more text could undo counts only when text follows", () => {
  assert.equal(metAfter({ matches: "\\bno\\b" }, "no", "thing"), -1);
  assert.equal(metAfter({ matches: "\\bno\\b" }, "no", ", never"), 1);
  assert.equal(metAfter({ matches: "^yes$" }, "yes", "terday"), -1);
});

test("such a match counts at the end of the text", () => {
  const scan = new TextScan(compileTest({ matches: "^yes$" }));
  scan.add("yes");
  assert.equal(scan.isMatched, false);
  scan.end("yes");
  assert.equal(scan.isMatched, true);
});

test("in a long text later matches are still found, and `^` still matches only its start", () => {
  const filler = Array.from({ length: 5_000 }, () => "word ");
  const same = Array.from({ length: 5_000 }, () => "b");
  assert.equal(metAfter({ matches: "^b" }, "a", ...same), -1);
  assert.equal(metAfter({ matches: "se.ret" }, ...filler, "sec", "ret"), 5_001);
  assert.equal(metAfter({ contains: "secret" }, ...filler, "sec", "ret"), 5_001);
});

test("a match longer than the scan window is found at the end of the text", () => {
  const text = `<${"x".repeat(5_000)}>`;
  const scan = new TextScan(compileTest({ matches: "<x+>" }));
  for (const letter of text) scan.add(letter);
  assert.equal(scan.isMatched, false);
  scan.end(text);
  assert.equal(scan.isMatched, true);
});
