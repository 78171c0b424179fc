import assert from "node:assert/strict";
import { test } from "node:test";
import { languageIdentifier } from "./code-language.ts";

const known = ["plaintext", "javascript", "shellscript", "yaml", "rust"];

for (const [name, identifier] of [
  ["js", "javascript"],
  ["JavaScript", "javascript"],
  ["sh", "shellscript"],
  ["rust", "rust"],
  ["klingon", "plaintext"],
  ["constructor", "plaintext"],
  ["", "plaintext"],
] as const) {
  test(`code called "${name}" is ${identifier}`, () => assert.equal(languageIdentifier(name, known), identifier));
}
