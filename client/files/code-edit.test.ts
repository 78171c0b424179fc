import assert from "node:assert/strict";
import { test } from "node:test";
import { appendEdit, isWholeFile, wholeFileEdit } from "./code-edit.ts";

const file = "// Splits a line\n\nfunction split(line) {\n    return line;\n}\n";

test("code is a whole file when it begins or ends as the file does and keeps half of its lines", () => {
  assert.ok(isWholeFile('// Splits a line\nfunction split(line) {\n  return line.split(",");\n}', file));
  assert.ok(isWholeFile('"use strict";\n// Splits a line\nfunction split(line) {\n  return line;\n}', file));
  assert.ok(isWholeFile(file.replaceAll("\n", "\r\n"), file));
  assert.ok(isWholeFile("anything", " \n"));
});

test("a part of a file is not a whole one", () => {
  assert.equal(isWholeFile("export function split(line) {\n  return [];\n}", file), false);
  assert.equal(isWholeFile("function split(line) {\n    return line;", file), false);
  assert.equal(isWholeFile("", file), false);
  for (const rest of ["// ... the rest", "# …", "...", "/* ... */", "<!-- ... -->"])
    assert.equal(isWholeFile(`// Splits a line\nfunction split(line) {\n${rest}\n}`, file), false, rest);
  // Spread and rest syntax leave nothing out.
  assert.ok(isWholeFile("const a = [...b];\nconst c = f(...a);", "const a = [...b];\nconst c = 1;"));
});

test("a line counts as kept as often as the code has it", () => {
  assert.equal(isWholeFile("}", "a {\n}\nb {\n}\nc {\n}\n"), false);
});

test("a replaced file ends with a line break as before, and code at the end has lines of its own", () => {
  assert.deepEqual(wholeFileEdit("b", "a\n"), { start: 0, end: 2, text: "b\n" });
  assert.deepEqual(wholeFileEdit("b", "a"), { start: 0, end: 1, text: "b" });
  assert.deepEqual(wholeFileEdit("b", ""), { start: 0, end: 0, text: "b\n" });
  assert.deepEqual(appendEdit("b", "a"), { start: 1, end: 1, text: "\nb\n" });
  assert.deepEqual(appendEdit("b", "a\n"), { start: 2, end: 2, text: "b\n" });
});
