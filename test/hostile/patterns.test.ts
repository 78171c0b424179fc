import assert from "node:assert/strict";
import { test } from "node:test";
import { edgePredicate } from "../../server/engine/managers/graph/edge-predicate.ts";
import { compilePattern, patternProblem } from "../../server/engine/pattern/pattern.ts";
import { compileTest, matchesTest, TextScan } from "../../server/engine/watch/text-scan.ts";
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

      assert.equal(matchesTest(text, compileTest({ matches: pattern })), false, "a message or an argument");
      assert.equal(edgePredicate({ matches: pattern })(text), false, "an edge of a graph");
      const scan = new TextScan(compileTest({ matches: pattern }));
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

test("patterns match what they match in JavaScript, at the same place", () => {
  for (const source of corpus.asInJavaScript) {
    const expected = new RegExp(source, "u");
    const pattern = compilePattern(source);
    for (const text of corpus.texts) {
      const found = expected.exec(text);
      const place = found === null ? undefined : { start: found.index, end: found.index + found[0].length };
      assert.deepEqual(pattern.find(text), place, `${source} in ${JSON.stringify(text)}`);
      assert.equal(pattern.test(text), found !== null, `${source} in ${JSON.stringify(text)}`);
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
    assert.equal(compilePattern(source).test(text), matches, `${source} in ${JSON.stringify(text)}`);
  }
});

test("a search goes on from a position, and `^` still means the start of the text", () => {
  assert.deepEqual(compilePattern("a").find("a😀a", 1), { start: 3, end: 4 });
  assert.equal(compilePattern("^a").find("aa", 1), undefined);
});
