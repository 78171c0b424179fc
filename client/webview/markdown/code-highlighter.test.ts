import assert from "node:assert/strict";
import { test } from "node:test";
import { CodeHighlighter } from "./code-highlighter.ts";
import { highlight } from "./highlight-languages.ts";

const line = "const total = items.length; // all of them\n";

test("code of a known language is highlighted, and escaped", () => {
  assert.match(highlight('const a = "<img>";', "ts") ?? "", /hljs-keyword.*&lt;img&gt;/);
  assert.equal(highlight(line, "klingon"), null);
});

for (const [what, code] of [
  ["a block of more than 8,000 characters", line.repeat(190)],
  ["a line of more than 400 characters", `${line}${"a".repeat(401)}`],
] as const) {
  test(`${what} is not highlighted`, () => assert.equal(new CodeHighlighter().takes(code), false));
}

test("of a text with many blocks, the first 16,000 characters of code are highlighted", () => {
  const highlighter = new CodeHighlighter();
  const block = line.repeat(120);
  const highlighted = [1, 2, 3, 4].map(() => highlighter.takes(block));
  assert.deepEqual(highlighted, [true, true, true, false]);
});
