import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePattern } from "../pattern/pattern.ts";
import { TextSearch } from "../pattern/text-search.ts";
import { seededRandom } from "../testing/random.ts";
import { TextScan } from "./text-scan.ts";

interface Wanted {
  readonly contains?: string;
  readonly matches?: string;
}

const scanFor = ({ contains, matches }: Wanted): TextScan =>
  new TextScan({
    contains: contains === undefined ? undefined : new TextSearch(contains),
    pattern: matches === undefined ? undefined : compilePattern(matches),
  });

/** The index of the piece that makes the test match; -1 for never. */
function metAfter(wanted: Wanted, ...pieces: readonly string[]): number {
  const scan = scanFor(wanted);
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

test("in a long text later matches are still found, and `^` still matches only its start", () => {
  const filler = Array.from({ length: 5_000 }, () => "word ");
  const same = Array.from({ length: 5_000 }, () => "b");
  assert.equal(metAfter({ matches: "^b" }, "a", ...same), -1);
  assert.equal(metAfter({ matches: "se.ret" }, ...filler, "sec", "ret"), 5_001);
  assert.equal(metAfter({ contains: "secret" }, ...filler, "sec", "ret"), 5_001);
});

test("a match may be longer than any piece, and than many of them", () => {
  const letters = Array.from({ length: 5_000 }, () => "x");
  assert.equal(metAfter({ matches: "<x+>" }, "<", ...letters, ">"), 5_001);
});

test("a character that comes in two pieces is one character", () => {
  assert.equal(metAfter({ matches: "^a.b" }, "a", "\ud83d", "\ude00", "b"), 3);
  assert.equal(metAfter({ matches: "^a..b" }, "a", "\ud83d", "\ude00", "b", "c"), -1);
  assert.equal(metAfter({ matches: "^a..b" }, "a", "\ud83d", "\ud83d", "\ude00", "b"), 4);
});

test("a costly pattern falls behind where pieces come at once, goes on later, and finds the match", async () => {
  const random = seededRandom(3);
  const letters = Array.from({ length: 5_000 }, () => (random(2) === 0 ? "a" : "b"));
  const scan = scanFor({ matches: "a[ab]{400}[cd]" });
  for (const letter of [...letters, ..."a", ..."b".repeat(400), "c"]) scan.add(letter);
  assert.equal(scan.isMatched, false);

  while (!scan.isMatched) {
    await new Promise((resolve) => setImmediate(resolve));
    scan.add("b");
  }
});
