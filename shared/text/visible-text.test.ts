import assert from "node:assert/strict";
import { test } from "node:test";
import { visibleLines, visibleOrder, visibleText } from "./visible-text.ts";

const shown = (text: string): string => visibleText(text).text;

test("a plain command is shown as it is", () => {
  assert.deepEqual(visibleText("npm test -- --grep 'größer 日本 👍'"), {
    text: "npm test -- --grep 'größer 日本 👍'",
    written: false,
  });
});

for (const [what, character, written] of [
  ["a right-to-left override", "\u202e", "⟨U+202E⟩"],
  ["a bidi isolate", "\u2066", "⟨U+2066⟩"],
  ["a zero-width space", "\u200b", "⟨U+200B⟩"],
  ["a zero-width joiner", "\u200d", "⟨U+200D⟩"],
  ["a byte order mark", "\ufeff", "⟨U+FEFF⟩"],
  ["an escape character", "\u001b", "⟨U+001B⟩"],
  ["a tab", "\t", "⟨tab⟩"],
  ["a carriage return", "\r", "⟨return⟩"],
  ["a line separator", "\u2028", "⟨U+2028⟩"],
  ["a no-break space", "\u00a0", "⟨U+00A0⟩"],
  ["a tag character", "\u{e0041}", "⟨U+E0041⟩"],
  ["a variation selector", "\ufe0f", "⟨U+FE0F⟩"],
  ["a Hangul filler", "\u3164", "⟨U+3164⟩"],
  ["a lone surrogate", "\ud800", "⟨U+D800⟩"],
] as const) {
  test(`${what} in a command is written out`, () => {
    assert.deepEqual(visibleText(`a${character}b`), { text: `a${written}b`, written: true });
  });
}

test("a newline is written out and breaks the line, so that a second command cannot hide", () => {
  assert.equal(shown("ls\nrm -rf ."), "ls⟨newline⟩\nrm -rf .");
});

test("a run of spaces is counted, so that a command's end cannot be pushed out of sight", () => {
  assert.equal(shown(`ls${" ".repeat(500)}; rm x`), "ls⟨500 spaces⟩; rm x");
  assert.equal(shown(" ls "), "⟨1 space⟩ls⟨1 space⟩");
});

test("text that is laid out keeps its lines, spaces and tabs, and hides nothing else", () => {
  assert.equal(visibleLines('{\n    "a":\t"\u202eb"\r\n}'), '{\n    "a":\t"⟨U+202E⟩b"⟨return⟩\n}');
});

test("in a name only what changes the order of characters is written out", () => {
  assert.equal(visibleOrder("👨\u200d👩\u200d👧 Équipe\u00a0: ⚠\ufe0f"), "👨\u200d👩\u200d👧 Équipe\u00a0: ⚠\ufe0f");
  assert.equal(visibleOrder("a\u202eb\u2066c\u0007d\u2028e"), "a⟨U+202E⟩b⟨U+2066⟩c⟨U+0007⟩d⟨U+2028⟩e");
});

const JOINED = [
  ["a family", "👨\u200d👩\u200d👧"],
  ["a profession with a skin tone", "👩🏽\u200d🔬"],
  ["a heart on fire, with a variation selector", "❤\ufe0f\u200d🔥"],
  ["a flag", "🏳\ufe0f\u200d🌈"],
] as const;

for (const [name, emoji] of JOINED) {
  test(`Emoji that are joined to one are shown as it: ${name}`, () => {
    assert.deepEqual(visibleText(`echo ${emoji}.txt`), { text: `echo ${emoji}.txt`, written: false });
    assert.equal(visibleLines(`\t${emoji}\n`), `\t${emoji}\n`);
  });
}

const LOOSE = [
  ["between letters", "a\u200db", "a⟨U+200D⟩b"],
  ["after an emoji", "👨\u200d", "👨⟨U+200D⟩"],
  ["before an emoji", "\u200d👨", "⟨U+200D⟩👨"],
  ["between an emoji and a letter", "👨\u200dexe", "👨⟨U+200D⟩exe"],
  ["after a joined emoji", "👨\u200d👩\u200d.txt", "👨\u200d👩⟨U+200D⟩.txt"],
  ["twice between emoji", "👨\u200d\u200d👩", "👨⟨U+200D⟩⟨U+200D⟩👩"],
  ["between digits, which emoji can begin with", "1\u200d2", "1⟨U+200D⟩2"],
  ["before a code point that is reserved", "👨\u200d\u{1faff}", "👨⟨U+200D⟩⟨U+1FAFF⟩"],
  ["with a bidirectional mark within", "👨\u200d\u202e👩", "👨⟨U+200D⟩⟨U+202E⟩👩"],
] as const;

for (const [name, text, expected] of LOOSE) {
  test(`A joiner that joins no emoji stays written out: ${name}`, () => {
    assert.deepEqual(visibleText(text), { text: expected, written: true });
    assert.equal(visibleLines(text), expected);
  });
}
