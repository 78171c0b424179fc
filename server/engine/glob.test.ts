import assert from "node:assert/strict";
import { test } from "node:test";
import { globMatcher } from "./glob.ts";

const cases: readonly (readonly [pattern: string, path: string, matches: boolean])[] = [
  ["*.ts", "a.ts", true],
  ["*.ts", "src/a.ts", false],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "x/y/a.ts", true],
  ["src/**", "src/x/y", true],
  ["src/**/a.ts", "src/a.ts", true],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["[a-c].txt", "b.txt", true],
  ["[!a-c].txt", "b.txt", false],
  ["[]x].txt", "].txt", true],
  ["\\*.txt", "*.txt", true],
  ["\\*.txt", "a.txt", false],
  ["{a,b{c,d}}.ts", "bd.ts", true],
  ["{a,b{c,d}}.ts", "b.ts", false],
  ["a{b}c", "a{b}c", true],
  ["[", "[", true],
  ["*é?", "caféx", true],
];

for (const [pattern, path, expected] of cases) {
  test(`the glob ${pattern} ${expected ? "matches" : "does not match"} ${path}`, () => {
    assert.equal(globMatcher(pattern)(path), expected);
  });
}

test("a hostile glob is answered, not chewed on for ever", () => {
  assert.equal(globMatcher(`${"*a".repeat(200)}b`)("a".repeat(250)), false);
  assert.equal(globMatcher(`${"**/a/".repeat(50)}b`)("a/".repeat(60)), false);
  assert.equal(globMatcher("{a,b}".repeat(60))("x"), false);
});
