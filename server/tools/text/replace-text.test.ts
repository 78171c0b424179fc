import assert from "node:assert/strict";
import { test } from "node:test";
import { replaceText, standsOnce } from "./replace-text.ts";

test("every place is replaced, and named by the line it began on", () => {
  assert.deepEqual(replaceText("a\nb a\n\na", "a", "xx"), { text: "xx\nb xx\n\nxx", lines: [1, 2, 4] });
  assert.deepEqual(replaceText("a", "b", "x"), { text: "a", lines: [] });
  assert.deepEqual(replaceText("one\ntwo\n", "one\ntwo\n", ""), { text: "", lines: [1] });
});

test("line ends of either kind meet each other, and new text has those of most of the file", () => {
  const windows = "one\r\ntwo\r\nthree\r\n";
  assert.equal(replaceText(windows, "one\ntwo", "1\n2\n2b").text, "1\r\n2\r\n2b\r\nthree\r\n");
  assert.equal(replaceText(windows, "\ntwo\n", "\n").text, "one\r\nthree\r\n");
  assert.equal(replaceText("one\ntwo\n", "one\r\ntwo", "1\r\n2").text, "1\n2\n");
  assert.deepEqual(replaceText(windows, "two", "2"), { text: "one\r\n2\r\nthree\r\n", lines: [2] });
});

test("what is not replaced keeps its line ends, also where a file mixes them", () => {
  const mixed = "a\r\nb\nc\r\nd\r\nb\ne\r\n";
  assert.equal(replaceText(mixed, "b\nc", "B\nC").text, "a\r\nB\r\nC\r\nd\r\nb\ne\r\n");
  assert.deepEqual(replaceText(mixed, "b", "B"), { text: "a\r\nB\nc\r\nd\r\nB\ne\r\n", lines: [2, 5] });
});

test("a dollar sign and a backslash in new text mean themselves", () => {
  assert.equal(replaceText("a", "a", "$& $1 \\n").text, "$& $1 \\n");
});

test("a text that overlaps itself does not stand once", () => {
  assert.equal(standsOnce("aaa", "aa"), false);
  assert.equal(standsOnce("aab", "aa"), true);
  assert.equal(standsOnce("a\r\nb", "a\nb"), true);
  assert.equal(standsOnce("b", "a"), false);
});
