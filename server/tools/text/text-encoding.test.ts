import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText, encodeText } from "./text-encoding.ts";

const text = "é😀\nb";
const marked = `\ufeff${text}`;
const files = {
  "utf-8": Buffer.from(text),
  "marked utf-8": Buffer.from(marked),
  "marked utf-16le": Buffer.from(marked, "utf16le"),
  "marked utf-16be": Buffer.from(marked, "utf16le").swap16(),
};

for (const [encoding, bytes] of Object.entries(files)) {
  test(`${encoding} is detected from the bytes and written back unchanged`, () => {
    const decoded = decodeText(bytes, "a.txt");
    assert.deepEqual(decoded, { text, encoding });
    assert.deepEqual(encodeText(decoded), bytes);
  });
}

test("a byte order mark in the text does not add a second one to the file", () => {
  assert.deepEqual(encodeText({ text: marked, encoding: "utf-8" }), files["utf-8"]);
  assert.deepEqual(encodeText({ text: marked, encoding: "marked utf-8" }), files["marked utf-8"]);
});

test("other encodings and binary files are refused", () => {
  assert.throws(
    () => decodeText(Buffer.from("é", "latin1"), "a.txt"),
    /"a\.txt" is neither UTF-8 nor UTF-16; convert it/,
  );
  for (const bytes of [
    [137, 80, 78, 71, 0, 1],
    [97, 0, 98, 0],
    [0xff, 0xfe, 0, 0],
    [0xff, 0xfe, 0, 0xd8],
  ]) {
    assert.throws(() => decodeText(Buffer.from(bytes), "a.png"), /"a\.png" is a binary file/);
  }
});
