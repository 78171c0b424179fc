import assert from "node:assert/strict";
import { test } from "node:test";
import { occursOnce, replaceText } from "./replace-text.ts";

test("every occurrence is replaced, and its line reported", () => {
  assert.deepEqual(replaceText("a\nb a\n\na", "a", "xx"), { text: "xx\nb xx\n\nxx", lines: [1, 2, 4] });
  assert.deepEqual(replaceText("a", "b", "x"), { text: "a", lines: [] });
  assert.deepEqual(replaceText("one\ntwo\n", "one\ntwo\n", ""), { text: "", lines: [1] });
});

test("line endings of either kind match, and new text gets the file's most common ones", () => {
  const windows = "one\r\ntwo\r\nthree\r\n";
  assert.equal(replaceText(windows, "one\ntwo", "1\n2\n2b").text, "1\r\n2\r\n2b\r\nthree\r\n");
  assert.equal(replaceText(windows, "\ntwo\n", "\n").text, "one\r\nthree\r\n");
  assert.equal(replaceText("one\ntwo\n", "one\r\ntwo", "1\r\n2").text, "1\n2\n");
  assert.deepEqual(replaceText(windows, "two", "2"), { text: "one\r\n2\r\nthree\r\n", lines: [2] });
});

test("text that is not replaced keeps its line endings, even mixed ones", () => {
  const mixed = "a\r\nb\nc\r\nd\r\nb\ne\r\n";
  assert.equal(replaceText(mixed, "b\nc", "B\nC").text, "a\r\nB\r\nC\r\nd\r\nb\ne\r\n");
  assert.deepEqual(replaceText(mixed, "b", "B"), { text: "a\r\nB\nc\r\nd\r\nB\ne\r\n", lines: [2, 5] });
});

test("dollar signs and backslashes in the new text are literal", () => {
  assert.equal(replaceText("a", "a", "$& $1 \\n").text, "$& $1 \\n");
});

test("overlapping occurrences count as more than one", () => {
  assert.equal(occursOnce("aaa", "aa"), false);
  assert.equal(occursOnce("aab", "aa"), true);
  assert.equal(occursOnce("a\r\nb", "a\nb"), true);
  assert.equal(occursOnce("b", "a"), false);
});
