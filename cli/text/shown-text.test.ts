import assert from "node:assert/strict";
import { test } from "node:test";
import { shownCode, shownCommand, shownJson, shownLine, shownText } from "./shown-text.ts";

/** What terminals act on: colours and cursor, links, the clipboard, titles, C1 forms, and the order of text. */
const HOSTILE = [
  "\u001b[2J\u001b[31mred",
  "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007",
  "\u001b]52;c;ZXZpbA==\u0007",
  "\u001b]0;title\u001b\\",
  "\u009b31mred",
  "\u009d52;c;ZXZpbA==\u009c",
  "\u001bP$q\u001b\\",
  "over\rwritten",
  "back\b\b\bspace",
  "\u0000\u0007\u007f",
  "\u202egnp.exe\u202c",
  "\u2066isolated\u2069",
  "para\u2029graph\u2028line\u0085next",
];

test("Nothing of a hostile text reaches the terminal but characters that it prints", () => {
  for (const text of HOSTILE) {
    for (const shown of [shownText(text), shownLine(text), shownCommand(text), shownCode(text), shownJson(text)]) {
      assert.doesNotMatch(shown.replaceAll("\n", ""), /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u, JSON.stringify(text));
    }
  }
});

test("What is written out says which character it was", () => {
  assert.equal(shownText("a\u001b[1m"), "a⟨U+001B⟩[1m");
  assert.equal(shownText("a\u202eb"), "a⟨U+202E⟩b");
  assert.equal(shownCommand("ls\u200b -la"), "ls⟨U+200B⟩ -la");
  assert.equal(shownCommand("rm a\nrm b"), "rm a⟨newline⟩\nrm b");
});

test("Line ends, tabs and what users write stay", () => {
  assert.equal(shownText("one\r\ntwo\n\tthree"), "one\ntwo\n    three");
  assert.equal(shownText("naïve 漢字 👩‍👩‍👧 ✓"), "naïve 漢字 👩‍👩‍👧 ✓");
  assert.equal(shownLine("  a\n b\t c "), "a b c");
});

test("A line of JSON is one line, has nothing invisible, and has the same value", () => {
  for (const text of HOSTILE) {
    const value = { [text]: [text, { text }], "\u{e0041}": "\u200d" };
    const line = shownJson(value);
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    assert.deepEqual(JSON.parse(line), value);
  }
});
