import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool, folderOf } from "../testing.ts";
import { MAX_LISTED } from "./list-files.ts";

const list = async (root: string, input: object = {}) => (await callTool([root], "listFiles", input)).split("\n");

const project = {
  "b.ts": "",
  "a.md": "",
  "src/deep/x.ts": "",
  "src/m.ts": "",
  "test/m.test.ts": "",
  ".git/config": "",
  "node_modules/p/index.js": "",
};

test("listFiles returns the workspace sorted, folders with a slash, without .git and node_modules", async (t) => {
  const expected = ["a.md", "b.ts", "src/", "src/deep/", "src/deep/x.ts", "src/m.ts", "test/", "test/m.test.ts"];
  assert.deepEqual(await list(folderOf(t, project)), expected);
});

test("listFiles descends as far as depth says, from the given path", async (t) => {
  const root = folderOf(t, project);
  assert.deepEqual(await list(root, { depth: 1 }), ["a.md", "b.ts", "src/", "test/"]);
  assert.deepEqual(await list(root, { path: "src", depth: 1 }), ["src/deep/", "src/m.ts"]);
  assert.deepEqual(await list(root, { path: "src/m.ts" }), ["src/m.ts"]);
  assert.deepEqual(await list(root, { path: "node_modules" }), ["node_modules/p/", "node_modules/p/index.js"]);
});

test("listFiles matches a glob with names, or with paths when it has a slash", async (t) => {
  const root = folderOf(t, project);
  assert.deepEqual(await list(root, { glob: "*.ts" }), ["b.ts", "src/deep/x.ts", "src/m.ts", "test/m.test.ts"]);
  assert.deepEqual(await list(root, { glob: "src/**/*.ts" }), ["src/deep/x.ts", "src/m.ts"]);
  assert.deepEqual(await list(root, { path: "src", glob: "src/**/x.ts" }), ["src/deep/x.ts"]);
  assert.deepEqual(await list(root, { path: "src", glob: "./*.ts" }), ["src/m.ts"]);
  assert.deepEqual(await list(root, { glob: "*.{md,test.ts}" }), ["a.md", "test/m.test.ts"]);
  assert.deepEqual(await list(root, { glob: "*.py" }), ["[No path matches *.py.]"]);
});

test("listFiles skips what the .gitignore files exclude, and the nearest one takes precedence", async (t) => {
  const root = folderOf(t, {
    ".gitignore": "# built\ndist/\n*.log\n!keep.log\n/only-here.txt\n",
    "dist/a.js": "",
    "x.log": "",
    "keep.log": "",
    "only-here.txt": "",
    "sub/only-here.txt": "",
    "sub/.gitignore": "!y.log\n",
    "sub/y.log": "",
    "sub/z.log": "",
  });
  assert.deepEqual(await list(root), [
    ".gitignore",
    "keep.log",
    "sub/",
    "sub/.gitignore",
    "sub/only-here.txt",
    "sub/y.log",
  ]);
  assert.deepEqual(await list(root, { path: "sub", glob: "*.log" }), ["sub/y.log"]);
  assert.deepEqual(await list(root, { path: "dist" }), ["dist/a.js"]);
});

test("listFiles keeps the least nested entries of a large workspace, and counts the rest", async (t) => {
  const files = Object.fromEntries(Array.from({ length: MAX_LISTED + 7 }, (_, at) => [`a/${at}.txt`, ""]));
  const rows = await list(folderOf(t, { ...files, "z.txt": "" }));
  assert.equal(rows.length, MAX_LISTED + 1);
  assert.equal(rows[0], "a/");
  assert.equal(rows.at(-2), "z.txt");
  assert.equal(rows.at(-1), "[9 more left out; narrow the listing with path, glob or depth.]");
});

test("listFiles says that a folder is empty", async (t) => {
  assert.deepEqual(await list(folderOf(t)), ["[The folder is empty.]"]);
});

test("a hostile pattern in a .gitignore does not hold up a listing", async (t) => {
  const deep = `${"a/".repeat(60)}c.txt`;
  const root = folderOf(t, { ".gitignore": `${"/**/a".repeat(12)}/b`, [deep]: "" });
  assert.deepEqual(await list(root, { glob: "*.txt" }), [deep]);
});
