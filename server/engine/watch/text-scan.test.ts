import assert from "node:assert/strict";
import { test } from "node:test";
import { TextScan, type TextTest } from "./text-scan.ts";

/** After which of the pieces the test is met; -1 for never. */
function metAfter(wanted: TextTest, ...pieces: readonly string[]): number {
  const scan = new TextScan(wanted);
  return pieces.findIndex((piece) => {
    scan.take(piece);
    return scan.isMet;
  });
}

test("a text is found across pieces, as soon as its last letter is there", () => {
  assert.equal(metAfter({ contains: "rm -rf" }, "then r", "m -", "rf /", "x"), 2);
  assert.equal(metAfter({ contains: "rm -rf" }, "rm -", "r", "x"), -1);
});

test("so is a match of a regular expression, and both must be there where both are asked for", () => {
  assert.equal(metAfter({ matches: "rm +-r" }, "then rm", "  ", "-r"), 2);
  assert.equal(metAfter({ contains: "b", matches: "a+" }, "aa", "c", "b"), 2);
});

test("a match that more text could undo waits for what follows", () => {
  assert.equal(metAfter({ matches: "\\bno\\b" }, "no", "thing"), -1);
  assert.equal(metAfter({ matches: "\\bno\\b" }, "no", ", never"), 1);
  assert.equal(metAfter({ matches: "^yes$" }, "yes", "terday"), -1);
});

test("and the end of the text settles it", () => {
  const scan = new TextScan({ matches: "^yes$" });
  scan.take("yes");
  assert.equal(scan.isMet, false);
  scan.end("yes");
  assert.equal(scan.isMet, true);
});

test("far into a long text, what comes is still found, and `^` still stands for its beginning", () => {
  const filler = Array.from({ length: 5_000 }, () => "word ");
  const same = Array.from({ length: 5_000 }, () => "b");
  assert.equal(metAfter({ matches: "^b" }, "a", ...same), -1);
  assert.equal(metAfter({ matches: "se.ret" }, ...filler, "sec", "ret"), 5_001);
  assert.equal(metAfter({ contains: "secret" }, ...filler, "sec", "ret"), 5_001);
});

test("a match that is longer than what is kept of a text is found at its end", () => {
  const text = `<${"x".repeat(5_000)}>`;
  const scan = new TextScan({ matches: "<x+>" });
  for (const letter of text) scan.take(letter);
  assert.equal(scan.isMet, false);
  scan.end(text);
  assert.equal(scan.isMet, true);
});
