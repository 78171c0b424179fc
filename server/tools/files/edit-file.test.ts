import assert from "node:assert/strict";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { callTool, folderOf, previewIn, runTool, testCall, toolOf } from "../testing.ts";

const edit = (root: string, input: object, seen = testCall()) => callTool([root], "editFile", input, seen);

test("editFile replaces a text that occurs once, tells the model where, and shows the user the change", async (t) => {
  const root = folderOf(t, { "src/a.ts": "one\ntwo\nthree\n" });
  const seen = testCall();
  const result = await edit(root, { path: "src/a.ts", old: "two\nthree", new: "2" }, seen);
  assert.equal(result, 'Replaced 1 occurrence at line 2 in "src/a.ts".');
  assert.equal(readFileSync(join(root, "src/a.ts"), "utf8"), "one\n2\n");
  assert.equal(seen.shown(), "@@ line 1 @@\n one\n-two\n-three\n+2\n");
});

test("editFile refuses a text that occurs several times and names the lines, unless `all` is set", async (t) => {
  const root = folderOf(t, { "a.txt": "x\ny\nx\nx x\n" });
  const input = { path: "a.txt", old: "x", new: "z" };
  await assert.rejects(
    edit(root, input),
    /occurs more than once in "a\.txt", at lines 1, 3, 4; include more lines to make it unique, or set `all`/,
  );
  await assert.rejects(edit(root, { path: "a.txt", old: "\n", new: "z", all: false }), /at lines 1, 2, 3, 4;/);
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "x\ny\nx\nx x\n");
  assert.equal(await edit(root, { ...input, all: true }), 'Replaced 4 occurrences at lines 1, 3, 4 in "a.txt".');
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "z\ny\nz\nz z\n");
});

test("editFile shows the lines most similar to a text that does not occur", async (t) => {
  const root = folderOf(t, { "a.js": "\tfunction go() {\n\t\trun();\n\t}\n" });
  await assert.rejects(
    edit(root, { path: "a.js", old: "  function go() {\n    run();", new: "x" }),
    /does not occur in "a\.js"; lines 1 to 2 are most similar:\n\tfunction go\(\) \{\n\t\trun\(\);$/,
  );
  await assert.rejects(
    edit(root, { path: "a.js", old: "zzz qqq", new: "x" }),
    /nor anything similar; read the file again/,
  );
});

test("editFile suggests similar names for a missing file, and creates none", async (t) => {
  const root = folderOf(t, { "src/split.js": "" });
  await assert.rejects(edit(root, { path: "lib/split.js", old: "a", new: "b" }), /Did you mean src\/split\.js/);
  assert.deepEqual(readdirSync(root), ["src"]);
});

test("editFile refuses what changes nothing, and an empty text to replace", async (t) => {
  const root = folderOf(t, { "a.txt": "a\n" });
  await assert.rejects(edit(root, { path: "a.txt", old: "a", new: "a" }), /are the same/);
  await assert.rejects(edit(root, { path: "a.txt", old: "a\n", new: "a\r\n" }), /keeps the file.s line endings/);
  const { prepare } = toolOf([root], "editFile");
  assert.throws(() => prepare?.({ path: "a.txt", old: "", new: "a" }), /use writeFile to create a file/);
  assert.throws(() => prepare?.({ path: "a.txt", old: "a", new: "\0" }), /NUL/);
  assert.throws(() => prepare?.({ path: "a.txt", old: "a", new: "\ud800" }), /surrogate/);
});

test("editFile keeps a file's encoding and line endings", async (t) => {
  const text = "\ufeffé\r\ntwo\r\n";
  const root = folderOf(t, {
    "marked.txt": text,
    "little.txt": Buffer.from(text, "utf16le"),
    "big.txt": Buffer.from(text, "utf16le").swap16(),
  });
  const wanted = "\ufeffé\r\n2\r\nthree\r\n";
  for (const path of ["marked.txt", "little.txt", "big.txt"]) {
    await edit(root, { path, old: "é\ntwo", new: "é\n2\nthree" });
  }
  assert.deepEqual(readFileSync(join(root, "marked.txt")), Buffer.from(wanted));
  assert.deepEqual(readFileSync(join(root, "little.txt")), Buffer.from(wanted, "utf16le"));
  assert.deepEqual(readFileSync(join(root, "big.txt")), Buffer.from(wanted, "utf16le").swap16());
});

test("editFile refuses binary files, other encodings, folders and files that are too large", async (t) => {
  const root = folderOf(t, {
    "a.png": new Uint8Array([137, 80, 0, 71]),
    "latin.txt": Buffer.from("caf\xe9", "latin1"),
    "big.txt": "x".repeat(4 * 1024 * 1024 + 1),
    "src/a.txt": "a",
  });
  await assert.rejects(edit(root, { path: "a.png", old: "P", new: "Q" }), /"a\.png" is a binary file/);
  await assert.rejects(edit(root, { path: "latin.txt", old: "c", new: "k" }), /neither UTF-8 nor UTF-16/);
  await assert.rejects(edit(root, { path: "big.txt", old: "x", new: "y" }), /"big\.txt" is larger than 4 MB/);
  await assert.rejects(edit(root, { path: "src", old: "x", new: "y" }), /"src" is a folder/);
});

test("editFile keeps a file's mode, and a link to it stays a link", {
  skip: process.platform === "win32",
}, async (t) => {
  const root = folderOf(t, { "run.sh": "echo a\n" });
  chmodSync(join(root, "run.sh"), 0o775);
  symlinkSync("run.sh", join(root, "link.sh"));
  assert.match(await edit(root, { path: "link.sh", old: "a", new: "b" }), /in "run\.sh"/);
  assert.equal(readFileSync(join(root, "run.sh"), "utf8"), "echo b\n");
  assert.equal(statSync(join(root, "run.sh")).mode & 0o777, 0o775);
  assert.ok(lstatSync(join(root, "link.sh")).isSymbolicLink());
  assert.deepEqual(readdirSync(root).sort(), ["link.sh", "run.sh"]);
});

test("editFile leaves a read-only file unchanged, and says so", async (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  chmodSync(join(root, "a.txt"), 0o444);
  await assert.rejects(edit(root, { path: "a.txt", old: "a", new: "b" }), /"a\.txt" is read-only; make it writable/);
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "a");
  assert.deepEqual(readdirSync(root), ["a.txt"]);
});

test("editFile and writeFile change nothing outside the workspace, whatever the form of the path", async (t) => {
  const outer = folderOf(t, { "secret.txt": "secret", "in/a.txt": "a", "more/b.txt": "b" });
  const root = join(outer, "in");
  symlinkSync(join(outer, "secret.txt"), join(root, "link.txt"));
  symlinkSync(join(outer, "more"), join(root, "folder"), "junction");
  symlinkSync(join(outer, "gone.txt"), join(root, "nowhere.txt"));
  symlinkSync(join(outer, "gone"), join(root, "nofolder"), "junction");
  const paths = [
    "../secret.txt",
    join(outer, "secret.txt"),
    "link.txt",
    "folder/b.txt",
    "folder/new.txt",
    "~/x",
    "../new.txt",
  ];
  for (const path of [...paths, "nowhere.txt", "nofolder/x.txt", "x/../../new.txt"]) {
    const refused = /outside the workspace|leads out of the workspace|broken link|There is no file/;
    await assert.rejects(edit(root, { path, old: "s", new: "x" }), refused, path);
    await assert.rejects(callTool([root], "writeFile", { path, content: "x" }), refused, path);
  }
  assert.equal(readFileSync(join(outer, "secret.txt"), "utf8"), "secret");
  assert.deepEqual(readdirSync(outer).sort(), ["in", "more", "secret.txt"]);
  assert.deepEqual(readdirSync(join(outer, "more")), ["b.txt"]);
});

test("editFile and writeFile refuse Git's own data, under any of its names", async (t) => {
  const root = folderOf(t, { ".git/config": "[core]\n", ".gitignore": "a\n" });
  await assert.rejects(edit(root, { path: ".git/config", old: "core", new: "x" }), /Git's own data/);
  for (const path of [
    ".git/hooks/pre-commit",
    ".GIT/x",
    "sub/.git",
    ".git. /x",
    "git~1/x",
    ".g\u200cit/x",
    ".git::$INDEX_ALLOCATION/x",
  ]) {
    if (process.platform === "win32" && path.includes(":")) continue;
    await assert.rejects(callTool([root], "writeFile", { path, content: "x" }), /Git's own data/, path);
  }
  assert.match(await edit(root, { path: ".gitignore", old: "a", new: "b" }), /Replaced 1 occurrence/);
});

test("concurrent edits of one file are all applied", async (t) => {
  const root = folderOf(t, { "a.txt": Array.from({ length: 20 }, (_, at) => `line ${at};\n`).join("") });
  const tool = toolOf([root], "editFile");
  const inputs = Array.from({ length: 20 }, (_, at) => ({ path: "a.txt", old: `line ${at};`, new: `done ${at};` }));
  await Promise.all(inputs.map((input) => runTool(tool, input, testCall().context)));
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), inputs.map((input) => `${input.new}\n`).join(""));
});

test("an interrupted call of editFile or writeFile changes nothing", async (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  for (const [name, input] of [
    ["editFile", { path: "a.txt", old: "a", new: "b" }],
    ["writeFile", { path: "a.txt", content: "b" }],
  ] as const) {
    const seen = testCall();
    const result = callTool([root], name, input, seen);
    seen.abort.abort();
    await assert.rejects(result, name);
  }
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "a");
});

test("a preview shows both texts and changes nothing; an error becomes its problem", async (t) => {
  const root = folderOf(t, { "a.txt": "a\r\nb\r\n" });
  const preview = (input: object) => previewIn([root], "editFile", input);
  assert.deepEqual(await preview({ path: "a.txt", old: "b", new: "c\nd" }), {
    path: "a.txt",
    before: "a\r\nb\r\n",
    after: "a\r\nc\r\nd\r\n",
  });
  assert.match(JSON.stringify(await preview({ path: "a.txt", old: "z", new: "c" })), /^\{"problem":".*does not occur/);
  assert.match(JSON.stringify(await preview({ path: 1 })), /^\{"problem":"The input of editFile is invalid/);
  writeFileSync(join(root, "a.txt"), "b");
  assert.deepEqual(await preview({ path: "a.txt", old: "b", new: "c" }), { path: "a.txt", before: "b", after: "c" });
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "b");
});
