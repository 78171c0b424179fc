import assert from "node:assert/strict";
import { test } from "node:test";
import { type RandomInt, seededRandom } from "../testing/random.ts";
import { compilePattern } from "./pattern.ts";
import type { Work } from "./work.ts";

const enough = (): Work => ({ left: 10_000_000 });

const ATOMS = ["a", "b", ".", "[ab]", "[^a]", "\\w", "\\W", "\\s", "\\d", "\\n", "😀", "[^\\n]", "\\p{L}", "_"];
const ASSERTIONS = ["^", "$", "\\b", "\\B"];
const QUANTIFIERS = ["*", "+", "?", "{2}", "{0,3}", "*?", "{2,}"];
const CHARACTERS = ["a", "a", "b", "b", " ", "\n", "_", "1", "😀", "é", "\ud83d"];

const pick = (random: RandomInt, from: readonly string[]): string => from[random(from.length)] ?? "";

function randomPattern(random: RandomInt, depth: number): string {
  const terms = Array.from({ length: 1 + random(3) }, () => {
    if (random(6) === 0) return pick(random, ASSERTIONS);
    const atom = depth > 0 && random(3) === 0 ? `(?:${randomPattern(random, depth - 1)})` : pick(random, ATOMS);
    return random(2) === 0 ? atom : `${atom}${pick(random, QUANTIFIERS)}`;
  });
  return random(4) === 0 ? `${terms.join("")}|${randomPattern(random, 0)}` : terms.join("");
}

const randomText = (random: RandomInt): string =>
  Array.from({ length: random(12) }, () => pick(random, CHARACTERS)).join("");

test("random patterns match what they match in JavaScript, in one piece and in many", () => {
  const random = seededRandom(20_261_122);
  for (let round = 0; round < 1_000; round++) {
    const source = randomPattern(random, 2);
    const pattern = compilePattern(source);
    for (let each = 0; each < 10; each++) {
      const text = randomText(random);
      // V8 also looks for \B between the halves of a surrogate pair.
      if (source.includes("\\B") && text.includes("😀")) continue;
      const expected = new RegExp(source, "u").test(text);
      const about = `${source} in ${JSON.stringify(text)}`;
      assert.equal(pattern.test(text, enough()), expected, about);
      const scan = pattern.scan();
      for (const unit of text.split("")) scan.read(unit, 0, enough());
      assert.equal(scan.matchesAtEnd(enough()), expected, about);
      if (scan.isMatched) assert.ok(expected, about);
    }
  }
});

/** Pattern and text, of which JavaScript's meaning differs from RE2's. */
const FLAGGED: readonly (readonly [source: string, text: string])[] = [
  ...["\n", "\r", "\r\n", "\u2028", "\u2029"].flatMap((end) =>
    ["(?m:a$)", "(?m:^b)", "(?m:^$)", "a$", "^b", "(?m:$)\\s(?m:^)"].map((source) => [source, `a${end}b`] as const),
  ),
  ...["s", "S", "k", "a", "_", "-", "\u017f", "\u212a", "é"].flatMap((text) =>
    [
      "(?i:\\W)",
      "(?i:\\w)",
      "(?i:[^\\W_])",
      "(?i:[\\W\\d])",
      "(?i:[^\\w])",
      "\\W",
      "[^\\W]",
      "(?i:\\D)",
      "(?i:\\S)",
    ].map((source) => [source, text] as const),
  ),
  ["(?i:key\\W)", "keys"],
  ["(?i:(?-i:\\W))", "\u017f"],
];

test("line ends and words mean with the flags m and i what they mean in JavaScript", () => {
  for (const [source, text] of FLAGGED) {
    const about = `${source} in ${JSON.stringify(text)}`;
    assert.equal(compilePattern(source).test(text, enough()), new RegExp(source, "u").test(text), about);
  }
});

test("a match is found with more states than are remembered", () => {
  const random = seededRandom(7);
  const letters = Array.from({ length: 20_000 }, () => pick(random, ["a", "b"])).join("");
  const pattern = compilePattern("a[ab]{200}c[ab]{5}d");

  assert.equal(pattern.test(`${letters}cabab`, { left: 1_000_000_000 }), false);
  const last = letters.slice(0, -201);
  assert.equal(pattern.test(`${last}a${"b".repeat(200)}cababad`, { left: 1_000_000_000 }), true);
});

test("matching stops when its work is used up, and goes on from there", () => {
  const scan = compilePattern("end$").scan();
  const text = `${"x".repeat(1_000)}end`;
  let at = 0;
  let parts = 0;
  for (; at < text.length; parts++) at = scan.read(text, at, { left: 300 });

  assert.ok(parts >= 4, `${parts} parts`);
  assert.equal(scan.matchesAtEnd(enough()), true);
});
