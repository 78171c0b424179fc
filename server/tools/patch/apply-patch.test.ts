import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { isRecord } from "../../../shared/json-record.ts";
import { callTool, folderOf, runTool, testCall, toolOf } from "../testing.ts";

const patch = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const apply = (root: string, text: string): Promise<string> => callTool([root], "applyPatch", { patch: text });
const read = (root: string, path: string): string => readFileSync(join(root, path), "utf8");

const CART =
  "class Cart {\n  add(item) {\n    this.items.push(item);\n  }\n  clear() {\n    this.items = [];\n  }\n}\n";

test("a patch changes, adds and deletes files together, and keeps their line endings", async (t) => {
  const root = folderOf(t, { "cart.js": CART.replaceAll("\n", "\r\n"), "old.js": "x\n", "more.js": "1\n2\n3\n" });
  const result = await apply(
    root,
    patch(
      "*** Update File: cart.js",
      "@@ class Cart {",
      "@@   clear() {",
      "-    this.items = [];",
      "+    this.items.length = 0;",
      "   }",
      "*** Add File: src/new.js",
      "+export {};",
      "+",
      "*** Delete File: old.js",
      "*** Update File: more.js",
      "@@",
      " 2",
      "-3",
      "+three",
      "*** End of File",
    ),
  );
  assert.equal(
    result,
    'Applied the patch.\nChanged "cart.js".\nAdded "src/new.js".\nDeleted "old.js".\nChanged "more.js".',
  );
  assert.equal(read(root, "cart.js"), CART.replace("items = []", "items.length = 0").replaceAll("\n", "\r\n"));
  assert.equal(read(root, "src/new.js"), "export {};\n\n");
  assert.equal(existsSync(join(root, "old.js")), false);
  assert.equal(read(root, "more.js"), "1\n2\nthree\n");
});

test("several changes of one file apply in their order, with line numbers left out and white space forgiven", async (t) => {
  const root = folderOf(t, { "a.txt": "one\n  two  \nthree\nfour\nfive" });
  await apply(
    root,
    patch("*** Update File: a.txt", "@@ -1,2 +1,2 @@", "-one", "+1", " two", "@@", " four", "-five", "+5"),
  );
  assert.equal(read(root, "a.txt"), "1\n  two  \nthree\nfour\n5");
});

test("what does not apply is one precise sentence, and no file is changed", async (t) => {
  const root = folderOf(t, {
    "a.txt": "same\nother\nsame\nother\n",
    "b.txt": "b\n",
    "c.js": "function total(items) {\n}\n",
  });
  const first = ["*** Update File: b.txt", "@@", "-b", "+B"];
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [
      ["*** Update File: a.txt", "@@", " same", "-other", "+x"],
      /^Change 1 of "a\.txt" does not apply: its lines are there more than once, at lines 1, 3; add lines around them, or an @@ line\.$/,
    ],
    [
      ["*** Update File: c.js", "@@", "-function total(item) {", "+x"],
      /^Change 1 of "c\.js" does not apply: its lines are not there; lines 1 to 1 are most similar:\nfunction total\(items\) \{$/,
    ],
    [["*** Update File: a.txt", "@@ nowhere", "-same", "+x"], /the line "nowhere" is not there\.$/],
    [["*** Update File: missing.txt", "@@", "-a", "+b"], /^There is no file "missing\.txt"/],
    [["*** Add File: a.txt", "+x"], /^"a\.txt" already exists; use "\*\*\* Update File"/],
    [["*** Update File: ../out.txt", "@@", "-a", "+b"], /outside the workspace/],
    [["*** Update File: a.txt", "*** Move to: c.js"], /^"c\.js" already exists; "a\.txt" cannot be moved there\.$/],
    [["*** Update File: a.txt", "*** Move to: ../z.txt"], /outside the workspace/],
    [["*** Update File: a.txt", "*** Move to: .git/config"], /Git/],
    [["*** Update File: a.txt"], /^The patch says nothing of what changes in "a\.txt"\.$/],
    [
      ["*** Update File: a.txt", "@@", "?what"],
      /^The patch is not understood at line \d+, "\?what": a line that starts with/,
    ],
    [
      ["*** Update File: b.txt", "@@", "-b", "+c"],
      /^The patch has two parts for "b\.txt"; put all its changes into one\.$/,
    ],
  ];
  for (const [lines, message] of cases) await assert.rejects(apply(root, patch(...first, ...lines)), { message });
  await assert.rejects(apply(root, "just text"), /does not begin with "\*\*\* Begin Patch"\.$/);
  await assert.rejects(
    apply(root, "*** Begin Patch\n*** Delete File: b.txt"),
    /does not end with "\*\*\* End Patch"\.$/,
  );
  assert.equal(read(root, "b.txt"), "b\n");
});

test("the preview has every file, and exactly what was shown is applied, or nothing", async (t) => {
  const root = folderOf(t, { "a.txt": "a\n", "b.txt": "b\n" });
  const wanted = {
    patch: patch("*** Update File: a.txt", "@@", "-a", "+A", "*** Delete File: b.txt", "*** Add File: c.txt", "+c"),
  };
  const tool = toolOf([root], "applyPatch");
  const preview = await tool.preview?.(wanted);
  assert.partialDeepStrictEqual(preview, {
    files: [
      { path: "a.txt", before: "a\n", after: "A\n" },
      { path: "b.txt", before: "b\n", after: "", deleted: true },
      { path: "c.txt", before: null, after: "c\n" },
    ],
  });
  const paths = ["a.txt", "b.txt", "c.txt"].map((path) => ({ use: "write", path: join(root, path) }));
  assert.deepEqual(await tool.effects?.(wanted), { paths, hosts: [] });
  const metadata = { preview: isRecord(preview) ? preview["digest"] : undefined };
  writeFileSync(join(root, "b.txt"), "other\n");
  await assert.rejects(runTool(tool, wanted, { ...testCall().context, metadata }), {
    message:
      "The files have changed since the user was shown this patch, so nothing was changed; read them and try again.",
  });
  assert.equal(read(root, "a.txt"), "a\n");
});

test("a file is moved, with changes or without, keeps its mode, and is shown as one change", async (t) => {
  const root = folderOf(t, { "run.sh": "one\ntwo\n", "b.txt": "b\n" });
  chmodSync(join(root, "run.sh"), 0o750);
  const wanted = {
    patch: patch(
      "*** Update File: run.sh",
      "*** Move to: bin/start.sh",
      "@@",
      " one",
      "-two",
      "+2",
      "*** Update File: b.txt",
      "*** Move to: c.txt",
    ),
  };
  const tool = toolOf([root], "applyPatch");
  assert.partialDeepStrictEqual(await tool.preview?.(wanted), {
    files: [
      { path: join("bin", "start.sh"), before: "one\ntwo\n", after: "one\n2\n", movedFrom: { path: "run.sh" } },
      { path: "c.txt", before: "b\n", after: "b\n", movedFrom: { path: "b.txt" } },
    ],
  });
  const written = (await tool.effects?.(wanted))?.paths.map(({ path }) => relative(root, path));
  assert.deepEqual(written, ["run.sh", join("bin", "start.sh"), "b.txt", "c.txt"]);
  const result = await apply(root, wanted.patch);
  assert.equal(
    result,
    `Applied the patch.\nMoved "run.sh" to "${join("bin", "start.sh")}".\nMoved "b.txt" to "c.txt".`,
  );
  assert.equal(read(root, "bin/start.sh"), "one\n2\n");
  if (process.platform !== "win32") assert.equal(statSync(join(root, "bin/start.sh")).mode & 0o777, 0o750);
  assert.deepEqual([existsSync(join(root, "run.sh")), existsSync(join(root, "b.txt"))], [false, false]);
});

test("before the user has allowed it, an answer tells nothing of what is in the files", async (t) => {
  const root = folderOf(t, { ".env": "KEY=secret-value\n" });
  const tool = toolOf([root], "applyPatch");
  const guess = { patch: patch("*** Update File: .env", "@@", "-KEY=secret-valve", "+x") };
  const paths = [{ use: "write", path: join(root, ".env") }];
  assert.deepEqual(await tool.effects?.(guess), { paths, hosts: [] });
});

test("a file that cannot be written leaves the others as they were", async (t) => {
  const root = folderOf(t, { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  const text = patch(
    "*** Update File: a.txt",
    "@@",
    "-a",
    "+A",
    "*** Delete File: b.txt",
    "*** Update File: c.txt",
    "@@",
    "-c",
    "+C",
  );
  chmodSync(join(root, "c.txt"), 0o444);
  await assert.rejects(apply(root, text), { message: '"c.txt" is read-only; make it writable to edit it.' });
  assert.deepEqual([read(root, "a.txt"), read(root, "b.txt"), read(root, "c.txt")], ["a\n", "b\n", "c\n"]);
});

test("typographic dashes, quotes and spaces match what models write for them, and stay in the file", async (t) => {
  const root = folderOf(t, { "a.md": "It’s 1–2\u00a0days\nold\n" });
  await apply(root, patch("*** Update File: a.md", "@@", " It's 1-2 days", "-old", "+new"));
  assert.equal(read(root, "a.md"), "It’s 1–2\u00a0days\nnew\n");
});

test("lines that are all equal are searched in time that grows with the text", async (t) => {
  const root = folderOf(t, { "a.txt": "x\n".repeat(200_000) });
  const lines = Array.from({ length: 100_000 }, () => " x");
  await assert.rejects(
    apply(root, patch("*** Update File: a.txt", "@@", ...lines, "-y", "+z")),
    /its lines are not there/,
  );
});

test("a patch of very many lines, files or changes is read, or refused, in time that grows with its length", async (t) => {
  const root = folderOf(t, { "a.txt": "a\nb\n" });
  const gap = "\n".repeat(400_000);
  await assert.rejects(apply(root, patch("*** Update File: a.txt", "@@", " a", gap, "-b")), /its lines are not there/);
  await apply(root, patch(gap, "*** Update File: a.txt", "*** Move to: b.txt", "@@", "-a", "+A", gap));
  assert.equal(read(root, "b.txt"), "A\nb\n");
  const many = (line: (at: number) => string): string =>
    Array.from({ length: 150_000 }, (_, at) => line(at)).join("\n");
  await assert.rejects(
    apply(root, patch(many((at) => `*** Delete File: ${at}`))),
    /changes more than 50 files; split it\.$/,
  );
  await assert.rejects(
    apply(
      root,
      patch(
        "*** Update File: b.txt",
        many(() => "@@\n-b\n+b"),
      ),
    ),
    /has more than 1000 changes; split it\.$/,
  );
});

test("a patch changes a file of very many lines", async (t) => {
  const root = folderOf(t, { "a.csv": `id\n${"x\n".repeat(400_000)}end\n` });
  await apply(root, patch("*** Update File: a.csv", "@@", "-id", "+ID", "@@", "-end", "+END"));
  assert.equal(read(root, "a.csv"), `ID\n${"x\n".repeat(400_000)}END\n`);
});

test("very many changes of a long file let the event loop turn, and are ended by an interrupt", async (t) => {
  const lines = Array.from({ length: 200_000 }, (_, at) => `line ${at}`);
  const root = folderOf(t, { "a.txt": lines.join("\n") });
  const changes = Array.from({ length: 1000 }, (_, at) => ["@@", `-line ${at}`, `+${at}`]).flat();
  const wanted = { patch: patch("*** Update File: a.txt", ...changes) };
  const stop = new AbortController();
  const running = runTool(toolOf([root], "applyPatch"), wanted, { ...testCall().context, signal: stop.signal });
  let turns = 0;
  const count = (): unknown => (++turns === 500 ? stop.abort() : setImmediate(count));
  count();
  await assert.rejects(running, { name: "AbortError" });
  assert.equal(read(root, "a.txt"), lines.join("\n"));
});

test("lines that a patch does not change keep their line endings, also mixed ones", async (t) => {
  const root = folderOf(t, { "a.txt": "a\r\nb\r\nc\nd\r\ne", "b.txt": "a\r\nb", "c.txt": "a\r\nb\r\nc" });
  await apply(
    root,
    patch(
      "*** Update File: a.txt",
      "@@",
      "-b",
      "+B",
      " c",
      "*** Update File: b.txt",
      "@@",
      "+end",
      "*** Update File: c.txt",
      "@@",
      " b",
      "-c",
    ),
  );
  assert.equal(read(root, "a.txt"), "a\r\nB\r\nc\nd\r\ne");
  assert.equal(read(root, "b.txt"), "a\r\nb\r\nend");
  assert.equal(read(root, "c.txt"), "a\r\nb");
});
