import assert from "node:assert/strict";
import { test } from "node:test";
import { textEdit } from "./text-edit.ts";

/** [before, after, start line, start character, end line, end character, new text] */
const edits = [
  ["one\ntwo\nthree", "one\n2\nthree", 1, 0, 1, 3, "2"],
  ["a\r\nb\r\n", "a\r\nb\r\nc\r\n", 2, 0, 2, 0, "c\r\n"],
  ["", "a\n", 0, 0, 0, 0, "a\n"],
  ["a\n", "", 0, 0, 1, 0, ""],
  ["aa", "aaa", 0, 2, 0, 2, "a"],
  ["same", "same", 0, 4, 0, 4, ""],
] as const;

for (const [before, after, line, character, endLine, endCharacter, newText] of edits) {
  test(`${JSON.stringify(before)} becomes ${JSON.stringify(after)} by the smallest edit`, () => {
    const range = { start: { line, character }, end: { line: endLine, character: endCharacter } };
    assert.deepEqual(textEdit(before, after), { range, newText });
  });
}

test("CRLF and surrogate pairs are never split", () => {
  assert.deepEqual(textEdit("a\r\nb", "a\rb"), {
    range: { start: { line: 0, character: 1 }, end: { line: 1, character: 0 } },
    newText: "\r",
  });
  assert.deepEqual(textEdit("😀", "😁"), {
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 2 } },
    newText: "😁",
  });
  assert.equal(textEdit("\ud83d\ude00", "\ud83c\ude00").newText, "\ud83c\ude00");
});
