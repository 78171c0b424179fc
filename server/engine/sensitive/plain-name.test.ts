import assert from "node:assert/strict";
import { test } from "node:test";
import { plainName } from "./plain-name.ts";

const same: readonly (readonly [name: string, plain: string])[] = [
  [".GIT", ".git"],
  [".g\u200cit", ".git"],
  [".git. . ", ".git"],
  [".git::$INDEX_ALLOCATION", ".git"],
  [".git:stream", ".git"],
  [".\uff47it", ".git"],
  ["C:", "c:"],
  [".", "."],
  ["..", ".."],
  ["...", "..."],
  ["a.b", "a.b"],
];

for (const [name, plain] of same) {
  test(`the plain name of ${JSON.stringify(name)} is ${plain}`, () => {
    assert.equal(plainName(name), plain);
  });
}
