import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestLines } from "./nearest-lines.ts";

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

test("lines that differ in white space alone are found, without the empty lines around what was sought", () => {
  assert.deepEqual(nearestLines(text, "\n  let sum = 0;\n  for (const item of items) sum += item.price;\n"), {
    from: 2,
    to: 3,
    text: "\tlet sum = 0;\n\tfor (const item of items) sum += item.price;",
  });
});

test("a line that was remembered a little wrong is found", () => {
  assert.equal(nearestLines(text, "for (const item of items) sum = sum + item.price")?.from, 3);
});

test("of lines that are alike, those with the right neighbours are nearest", () => {
  assert.equal(nearestLines("go();\na();\ngo();\nb();\ngo();\nc();", "go(1);\nb();")?.from, 3);
});

test("what is like nothing in the file is not found", () => {
  assert.equal(nearestLines(text, "import x from 'y'"), undefined);
  assert.equal(nearestLines(text, "  \n "), undefined);
  assert.equal(nearestLines("", "x"), undefined);
});
