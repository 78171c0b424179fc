import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ToolPreview } from "../../../shared/contract/inspection.ts";
import { callTool, folderOf, previewIn, runTool, testCall, toolOf } from "../testing.ts";

const write = (roots: readonly string[], input: object, seen = testCall()) => callTool(roots, "writeFile", input, seen);

test("writeFile creates a file with its folders, and nothing else", async (t) => {
  const root = folderOf(t);
  const seen = testCall();
  const result = await write([root], { path: "src/deep/a.ts", content: "one\ntwo\n" }, seen);
  assert.equal(result, 'Created "src/deep/a.ts" with 2 lines.');
  assert.equal(readFileSync(join(root, "src/deep/a.ts"), "utf8"), "one\ntwo\n");
  assert.deepEqual(readdirSync(join(root, "src/deep")), ["a.ts"]);
  assert.equal(seen.shown(), "@@ line 1 @@\n+one\n+two\n");
});

test("writeFile says that it replaced a file, and keeps its encoding and line endings", async (t) => {
  const root = folderOf(t, { "a.txt": "\ufeffone\r\ntwo\r\n" });
  assert.equal(
    await write([root], { path: "a.txt", content: "1\n" }),
    'Replaced the content of "a.txt": 1 line instead of 2 lines.',
  );
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "\ufeff1\r\n");
});

test("writeFile says when a file already has the content", async (t) => {
  const root = folderOf(t, { "a.txt": "one\r\n" });
  assert.equal(
    await write([root], { path: "a.txt", content: "one\n" }),
    '"a.txt" already has this content; nothing was changed.',
  );
});

test("writeFile creates an empty file, and one with a byte order mark when the content has one", async (t) => {
  const root = folderOf(t);
  assert.equal(await write([root], { path: "empty", content: "" }), 'Created "empty" with 0 lines.');
  assert.equal(readFileSync(join(root, "empty"), "utf8"), "");
  await write([root], { path: "marked", content: "\ufeffx\r\n" });
  assert.equal(readFileSync(join(root, "marked"), "utf8"), "\ufeffx\r\n");
});

test("writeFile honors `create`", async (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  await assert.rejects(write([root], { path: "a.txt", content: "b", create: true }), /"a\.txt" already exists/);
  await assert.rejects(
    write([root], { path: "b.txt", content: "b", create: false }),
    /no file "b\.txt"; omit `create`/,
  );
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "a");
  assert.equal(existsSync(join(root, "b.txt")), false);
});

test("writeFile refuses a folder, and a path below a file", async (t) => {
  const root = folderOf(t, { "src/a.txt": "a" });
  await assert.rejects(write([root], { path: "src", content: "b" }), /"src" is a folder/);
  await assert.rejects(
    write([root], { path: "src/a.txt/b", content: "b" }),
    /a part of its path is a file instead of a folder/,
  );
  assert.throws(
    () => toolOf([root], "writeFile").prepare?.({ path: "x/", content: "" }),
    /is a folder; give the path of a file/,
  );
  assert.equal(readFileSync(join(root, "src/a.txt"), "utf8"), "a");
});

test("with several roots, a new file is created where its folder exists, or in the root that its path names", async (t) => {
  const outer = folderOf(t, { "one/a.txt": "", "two/src/b.txt": "" });
  const roots = [join(outer, "one"), join(outer, "two")];
  assert.equal(await write(roots, { path: "src/new.txt", content: "" }), 'Created "two/src/new.txt" with 0 lines.');
  assert.equal(await write(roots, { path: "one/new.txt", content: "" }), 'Created "one/new.txt" with 0 lines.');
  await assert.rejects(
    write(roots, { path: "other.txt", content: "" }),
    /could be created in several of the open folders; start the path with one or two/,
  );
});

test("a preview of writeFile shows what is replaced, and null for a new file", async (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  const preview = (input: object) => previewIn([root], "writeFile", input);
  assert.deepEqual(await preview({ path: "a.txt", content: "b" }), { path: "a.txt", before: "a", after: "b" });
  assert.deepEqual(await preview({ path: "x/b.txt", content: "b" }), {
    path: "x/b.txt",
    before: null,
    after: "b",
  });
  assert.deepEqual(readdirSync(root), ["a.txt"]);
});

test("an edit that the user was shown is made only if it is still the same", async (t) => {
  const root = folderOf(t, { "a.txt": "one\n" });
  const file = join(root, "a.txt");
  const tool = toolOf([root], "writeFile");
  const input = { path: "a.txt", content: "two\n" };
  const shown = ToolPreview.parse(await tool.preview?.(input));
  assert.ok(shown !== null && "after" in shown);
  assert.equal(shown.file, file);
  const call = testCall();
  const context = { ...call.context, metadata: { preview: shown.digest } };
  writeFileSync(file, "typed since\n");
  await assert.rejects(runTool(tool, input, context), {
    message: '"a.txt" has changed since the user was shown this edit, so the edit was not made; read the file again.',
  });
  assert.equal(readFileSync(file, "utf8"), "typed since\n");
  writeFileSync(file, "one\n");
  await runTool(tool, input, context);
  assert.equal(readFileSync(file, "utf8"), "two\n");
  assert.equal(await runTool(tool, input, context), '"a.txt" already has this content; nothing was changed.');
});
