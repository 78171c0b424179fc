import assert from "node:assert/strict";
import { test } from "node:test";
import { edgePredicate } from "../../server/engine/managers/graph/edge-predicate.ts";
import { compilePattern, patternProblem } from "../../server/engine/pattern/pattern.ts";
import { TextTest } from "../../server/engine/pattern/text-test.ts";
import type { Work } from "../../server/engine/pattern/work.ts";
import { TextScan } from "../../server/engine/watch/text-scan.ts";
import corpus from "./patterns.json" with { type: "json" };

// A pattern that backtracks would keep this file busy until the limit of test files ends it.

/** A text that nearly matches, of about that length. */
const bait = ({ repeat, end }: (typeof corpus.costly)[number], length: number): string =>
  repeat.repeat(length / repeat.length) + end;

for (const costly of corpus.costly) {
  for (const length of [26, 5_000]) {
    test(`${costly.pattern} is matched with ${length} characters without holding up the host`, () => {
      const { pattern } = costly;
      const text = bait(costly, length);

      const compiled = compilePattern(pattern);
      assert.equal(new TextTest({ pattern: compiled }).passes([text]), false, "a message or an argument");
      assert.equal(edgePredicate({ matches: pattern }).isTaken(text), false, "an edge of a graph");
      const scan = new TextScan({ pattern: compiled });
      for (let at = 0; at < text.length; at += 100) scan.add(text.slice(at, at + 100));
      assert.equal(scan.isMatched, false, "a message that streams");
    });
  }
}

for (const { pattern, because } of corpus.refused) {
  test(`${pattern.slice(0, 30)} is refused: it ${because}`, () => {
    const problem = patternProblem(pattern) ?? "";
    assert.ok(problem.startsWith(`is a regular expression that ${because}`), problem);
    assert.match(problem, /[;,] /, "it says what to write instead");
  });
}

const enough = (): Work => ({ left: 1_000_000 });

test("patterns match what they match in JavaScript", () => {
  for (const source of corpus.asInJavaScript) {
    const expected = new RegExp(source, "u");
    const pattern = compilePattern(source);
    for (const text of corpus.texts) {
      assert.equal(pattern.test(text, enough()), expected.test(text), `${source} in ${JSON.stringify(text)}`);
    }
  }
});

test("patterns match in a text that comes in pieces what they match in the text up to there", () => {
  for (const source of corpus.asInJavaScript) {
    const pattern = compilePattern(source);
    const expected = new RegExp(source, "u");
    for (const text of corpus.texts) {
      const scan = pattern.scan();
      for (const [at, unit] of text.split("").entries()) {
        scan.read(unit, 0, enough());
        const before = text.slice(0, at + 1);
        if (scan.isMatched) assert.match(before, expected);
        assert.equal(scan.matchesAtEnd(enough()), expected.test(before), `${source} in ${JSON.stringify(before)}`);
      }
    }
  }
});

test("flags may be set within a group", () => {
  const cases: readonly (readonly [source: string, text: string, matches: boolean])[] = [
    ["(?i:secret)", "SECRET", true],
    ["(?i:é)", "É", true],
    ["(?i:a)b", "AB", false],
    ["(?i:a(?-i:b))", "Ab", true],
    ["(?i:a(?-i:b))", "AB", false],
    ["^(?s:.)$", "\n", true],
    ["^.$", "\n", false],
    ["(?m:^b$)", "a\nb\nc", true],
    ["^b$", "a\nb\nc", false],
  ];
  for (const [source, text, matches] of cases) {
    assert.equal(compilePattern(source).test(text, enough()), matches, `${source} in ${JSON.stringify(text)}`);
  }
});
