import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { call, folderOf, testCall, toolOf } from "../testing.ts";

const write = (roots: readonly string[], input: object, seen = testCall()) => call(roots, "writeFile", input, seen);

test("writeFile makes a file with the folders above it, and nothing else", async (t) => {
  const root = folderOf(t);
  const seen = testCall();
  const result = await write([root], { path: "src/deep/a.ts", content: "one\ntwo\n" }, seen);
  assert.equal(result, 'Made "src/deep/a.ts" with 2 lines.');
  assert.equal(readFileSync(join(root, "src/deep/a.ts"), "utf8"), "one\ntwo\n");
  assert.deepEqual(readdirSync(join(root, "src/deep")), ["a.ts"]);
  assert.equal(seen.shown(), "@@ line 1 @@\n+one\n+two\n");
});

test("writeFile says when it replaced a file, and keeps its encoding and line ends", async (t) => {
  const root = folderOf(t, { "a.txt": "\ufeffone\r\ntwo\r\n" });
  assert.equal(
    await write([root], { path: "a.txt", content: "1\n" }),
    'Replaced all of "a.txt": 1 line in the place of 2 lines.',
  );
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "\ufeff1\r\n");
});

test("writeFile says when a file held the content already", async (t) => {
  const root = folderOf(t, { "a.txt": "one\r\n" });
  assert.equal(
    await write([root], { path: "a.txt", content: "one\n" }),
    '"a.txt" held this already; nothing was changed.',
  );
});

test("writeFile makes an empty file, and a marked one where the content has a mark", async (t) => {
  const root = folderOf(t);
  assert.equal(await write([root], { path: "empty", content: "" }), 'Made "empty" with 0 lines.');
  assert.equal(readFileSync(join(root, "empty"), "utf8"), "");
  await write([root], { path: "marked", content: "\ufeffx\r\n" });
  assert.equal(readFileSync(join(root, "marked"), "utf8"), "\ufeffx\r\n");
});

test("writeFile keeps to `create`", async (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  await assert.rejects(write([root], { path: "a.txt", content: "b", create: true }), /"a\.txt" is there already/);
  await assert.rejects(
    write([root], { path: "b.txt", content: "b", create: false }),
    /no file "b\.txt"; leave `create` out/,
  );
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "a");
  assert.equal(existsSync(join(root, "b.txt")), false);
});

test("writeFile refuses a folder, and a path below a file", async (t) => {
  const root = folderOf(t, { "src/a.txt": "a" });
  await assert.rejects(write([root], { path: "src", content: "b" }), /"src" is a folder/);
  await assert.rejects(
    write([root], { path: "src/a.txt/b", content: "b" }),
    /a file stands where a folder would have to be/,
  );
  assert.match(toolOf([root], "writeFile").check?.({ path: "x/", content: "" }) ?? "", /names a folder; name a file/);
  assert.equal(readFileSync(join(root, "src/a.txt"), "utf8"), "a");
});

test("with several roots a new file goes where its folder is, or where its path says", async (t) => {
  const outer = folderOf(t, { "one/a.txt": "", "two/src/b.txt": "" });
  const roots = [join(outer, "one"), join(outer, "two")];
  assert.equal(await write(roots, { path: "src/new.txt", content: "" }), 'Made "two/src/new.txt" with 0 lines.');
  assert.equal(await write(roots, { path: "one/new.txt", content: "" }), 'Made "one/new.txt" with 0 lines.');
  await assert.rejects(
    write(roots, { path: "other.txt", content: "" }),
    /could be made in several of the open folders; begin the path with one or two/,
  );
});

test("a preview of writeFile shows what is replaced, and no text before where there is no file", async (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  const tool = toolOf([root], "writeFile");
  assert.deepEqual(await tool.preview?.({ path: "a.txt", content: "b" }), { path: "a.txt", before: "a", after: "b" });
  assert.deepEqual(await tool.preview?.({ path: "x/b.txt", content: "b" }), {
    path: "x/b.txt",
    before: null,
    after: "b",
  });
  assert.deepEqual(readdirSync(root), ["a.txt"]);
});
