import assert from "node:assert/strict";
import { test } from "node:test";
import { fileCandidates, fileReference, mayNameFile } from "./file-reference.ts";

for (const [text, reference] of [
  ["src/split.js", { path: "src/split.js" }],
  ["src/split.js:8", { path: "src/split.js", line: 8 }],
  ["src/split.js:8:3", { path: "src/split.js", line: 8, column: 3 }],
  ["src/split.js:8-12", { path: "src/split.js", line: 8, endLine: 12 }],
  ["src/split.js#L8", { path: "src/split.js", line: 8 }],
  ["src/split.js#L8C3", { path: "src/split.js", line: 8, column: 3 }],
  ["file.ts#L8-L12", { path: "file.ts", line: 8, endLine: 12 }],
  ["file.ts#L8-12", { path: "file.ts", line: 8, endLine: 12 }],
  ["file.ts#L8C1-L12C4", { path: "file.ts", line: 8, column: 1, endLine: 12 }],
  ["src/split.ts(8,3)", { path: "src/split.ts", line: 8, column: 3 }],
  ["README.md#usage", { path: "README.md" }],
  ["a.js:0", { path: "a.js", line: 1 }],
  ["src\\split.js:8", { path: "src/split.js", line: 8 }],
  ["C:\\code\\split.js:8", { path: "C:/code/split.js", line: 8 }],
  ["c:/code/split.js", { path: "c:/code/split.js" }],
  ["/home/ann/split.js", { path: "/home/ann/split.js" }],
  ["file:///home/ann/my%20split.js#L8", { path: "/home/ann/my split.js", line: 8 }],
  ["file:///c:/code/split.js", { path: "c:/code/split.js" }],
] as const) {
  test(`${text} names a file`, () => assert.deepEqual(fileReference(text), reference));
}

for (const text of [
  "",
  "#top",
  "https://example.com/a.js",
  "command:workbench.action.quit",
  "javascript:alert(1)",
  "vscode://file/home/ann/a.js",
  "mailto:a@b.example",
  "\\\\host\\share\\a.js",
  "//host/share/a.js",
  "file://host/share/a.js",
  "a\u202ejs.exe",
  "a\0.js",
  "a/".repeat(400),
]) {
  test(`${JSON.stringify(text.slice(0, 40))} names no file that can be opened`, () =>
    assert.equal(fileReference(text), undefined));
}

test("words of a text that look like paths are candidates, without the punctuation around them", () => {
  const text = 'See src/a.js:8, (lib/b.ts:2:1), "c.md". Not 1/2, 3.14 or https://x.example/d.js; but src\\e.js:4!';
  const found = fileCandidates(text).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(found, ["src/a.js:8", "lib/b.ts:2:1", "c.md", "src\\e.js:4"]);
});

test("inline code is a candidate as a whole, spaces included", () => {
  assert.ok(mayNameFile("my notes/to do.md:3"));
  assert.ok(mayNameFile("split.js"));
  assert.ok(!mayNameFile("split"));
  assert.ok(!mayNameFile("a === b"));
});
