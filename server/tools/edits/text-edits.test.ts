import assert from "node:assert/strict";
import { test } from "node:test";
import { editedText } from "./text-edits.ts";

const edit = (line: number, from: number, to: number, newText: string, lastLine = line) => ({
  range: { start: { line, character: from }, end: { line: lastLine, character: to } },
  newText,
});

test("edits are made at their lines and characters, in any order, and line endings stay", () => {
  const text = "one two\r\ntwo one\none";
  const edits = [edit(2, 0, 3, "1"), edit(0, 0, 3, "1"), edit(1, 4, 7, "1")];
  assert.equal(editedText(text, edits, "a"), "1 two\r\ntwo 1\n1");
  assert.equal(editedText("a\nb\nc", [edit(0, 1, 0, "", 2)], "a"), "ac");
  assert.equal(editedText("ab", [edit(0, 1, 1, "x"), edit(0, 1, 1, "y")], "a"), "axyb");
});

test("edits outside the text, and edits that overlap, are refused", () => {
  const message = 'The editor\'s changes do not fit the text of "a.ts", so nothing was changed; try again.';
  for (const edits of [
    [edit(3, 0, 0, "x")],
    [edit(0, 9, 9, "x")],
    [edit(0, 2, 1, "x")],
    [edit(0, 0, 2, "x"), edit(0, 1, 3, "y")],
  ]) {
    assert.throws(() => editedText("abc\nd", edits, "a.ts"), { message });
  }
});
