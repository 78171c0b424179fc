import assert from "node:assert/strict";
import { test } from "node:test";
import { mostSimilarLines } from "./nearest-lines.ts";

const text = [
  "function total(items) {",
  "\tlet sum = 0;",
  "\tfor (const item of items) sum += item.price;",
  "\treturn sum;",
  "}",
  "",
  "function count(items) {",
  "\treturn items.length;",
  "}",
].join("\r\n");

test("lines that differ only in white space are found, ignoring empty lines around the wanted ones", () => {
  assert.deepEqual(mostSimilarLines(text, "\n  let sum = 0;\n  for (const item of items) sum += item.price;\n"), {
    from: 2,
    to: 3,
    text: "\tlet sum = 0;\n\tfor (const item of items) sum += item.price;",
  });
});

test("a slightly different line is found", () => {
  assert.equal(mostSimilarLines(text, "for (const item of items) sum = sum + item.price")?.from, 3);
});

test("of similar lines, those with the right neighbors are the most similar", () => {
  assert.equal(mostSimilarLines("go();\na();\ngo();\nb();\ngo();\nc();", "go(1);\nb();")?.from, 3);
});

test("nothing is found when no lines are similar", () => {
  assert.equal(mostSimilarLines(text, "import x from 'y'"), undefined);
  assert.equal(mostSimilarLines(text, "  \n "), undefined);
  assert.equal(mostSimilarLines("", "x"), undefined);
});
