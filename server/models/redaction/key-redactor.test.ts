import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyRedactor } from "./key-redactor.ts";

const KEY = "sk-live-Q7w8E9r0T1y2u3i4o5p6";

const redactor = (key = KEY): KeyRedactor => {
  const made = KeyRedactor.for(key);
  assert.ok(made);
  return made;
};

/** What is passed on after each piece, and at the end. */
function passed(pieces: readonly string[]): readonly string[] {
  const one = redactor();
  return [...pieces.map((piece) => one.add(piece)), one.finish()];
}

test("ordinary text passes at once, also where it has the beginning of a key", () => {
  const pieces = [
    "Keys of this kind",
    " begin with sk",
    "-",
    "live and",
    ' "sk-',
    'test-": 50',
    "%",
    " of them \\",
    ".",
  ];
  assert.deepEqual(passed(pieces), [...pieces, ""]);
});

test("what may begin the key waits until it is known that it does not", () => {
  assert.deepEqual(passed(["See sk-live-", "Q7", "x9, or not"]), ["See ", "", "sk-live-Q7x9, or not", ""]);
});

test("a key in pieces is replaced, and what follows it passes", () => {
  assert.deepEqual(passed(["It is sk-live-Q7w8", "E9r0T1y2", "u3i4o5p6", ". Done"]), [
    "It is ",
    "",
    "[key]",
    ". Done",
    "",
  ]);
  assert.equal(passed([...`a ${KEY}${KEY} b`]).join(""), "a sk-liv[key]sk-liv[key] b");
});

test("a text that ends in the middle of a key is not shown from there on, and one that hardly began it is", () => {
  assert.equal(passed(["It is sk-live-Q7w8"]).join(""), "It is [key]");
  assert.equal(passed(["It begins with sk-live-"]).join(""), "It begins with sk-live-");
});

test("a key within what looks like the beginning of another of its forms is found", () => {
  const hex = Buffer.from(KEY).toString("hex");
  assert.equal(
    redactor().whole(`${hex.slice(0, 20)}${KEY}, ${hex}${hex.slice(0, 10)}`),
    `${hex.slice(0, 20)}[key], [key][key]`,
  );
});

test("every form is removed wherever the text is split in two", () => {
  for (const form of [KEY, Buffer.from(KEY).toString("base64url"), encodeURIComponent(JSON.stringify(KEY))]) {
    const text = `<${form}>`;
    for (let at = 0; at <= text.length; at += 1) {
      assert.match(passed([text.slice(0, at), text.slice(at)]).join(""), /^<[%\dB]{0,3}.{0,7}\[key\].{0,3}>$/);
    }
  }
});

test("a word that stands for a key is no secret", () => {
  for (const key of [undefined, "", "x", "ollama", "EMPTY"]) assert.equal(KeyRedactor.for(key), undefined);
});
