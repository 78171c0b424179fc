import assert from "node:assert/strict";
import { test } from "node:test";
import { SensitiveFiles } from "../../engine/index.ts";
import { workspaceTools } from "../index.ts";
import { callTool, folderOf, runTool, testCall } from "../testing.ts";
import { FILE_LIMIT_MS, LineMatcher } from "./line-matcher.ts";
import { MAX_ROWS } from "./search-text.ts";

const search = async (root: string, input: object) => (await callTool([root], "searchText", input)).split("\n");

test("searchText returns the file, the line and its text", async (t) => {
  const root = folderOf(t, { "a.txt": "one\n  Two (2)\n", "src/b.txt": "two (2)", "node_modules/c.txt": "two (2)" });
  assert.deepEqual(await search(root, { text: "two (2)" }), ["a.txt:2: Two (2)", "src/b.txt:1: two (2)"]);
  assert.deepEqual(await search(root, { text: "two (2)", caseSensitive: true }), ["src/b.txt:1: two (2)"]);
  assert.deepEqual(await search(root, { text: "two", path: "a.txt" }), ["a.txt:2: Two (2)"]);
  assert.deepEqual(await search(root, { text: "two", glob: "src/*" }), ["src/b.txt:1: two (2)"]);
});

test("searchText accepts regular expressions, with and without syntax of the u flag", async (t) => {
  const root = folderOf(t, { "a.txt": "x1\néx\n-a\n" });
  assert.deepEqual(await search(root, { text: "^x\\d$", regex: true }), ["a.txt:1: x1"]);
  assert.deepEqual(await search(root, { text: "^\\p{L}x", regex: true }), ["a.txt:2: éx"]);
  assert.deepEqual(await search(root, { text: "\\-a", regex: true }), ["a.txt:3: -a"]);
  await assert.rejects(search(root, { text: "(", regex: true }), /not a valid regular expression/);
});

test("searchText skips binary files, and counts those that are too large", async (t) => {
  const root = folderOf(t, { "a.bin": new Uint8Array([110, 0, 110]), "big.txt": "n".repeat(1024 * 1024 + 1) });
  assert.deepEqual(await search(root, { text: "n" }), [
    '[No line in 2 files matches "n".]',
    "[1 files over 1 MB were skipped.]",
  ]);
});

test("searchText stops at its limit of rows, and cuts a long line to the part around its match", async (t) => {
  const root = folderOf(t, {
    "a.txt": `${"x".repeat(5000)}needle${"y".repeat(5000)}\n`,
    "b.txt": "n\n".repeat(MAX_ROWS + 50),
  });
  const [row] = await search(root, { text: "needle" });
  assert.match(row ?? "", /^a\.txt:1: …x+needley+…$/);
  assert.ok((row ?? "").length < 300);
  const rows = await search(root, { text: "n" });
  assert.equal(rows.length, MAX_ROWS + 1);
  assert.match(rows.at(-1) ?? "", /More than 200 lines match/);
});

const HOSTILE = { text: "^(a+)+$", regex: true };

test("a hostile expression ends on an abort, and does not block the host", async (t) => {
  const root = folderOf(t, { "a.txt": `${"a".repeat(60)}!` });
  const test = testCall();
  const result = callTool([root], "searchText", HOSTILE, test);
  const again = callTool([root], "searchText", { text: "aa" });
  assert.match(await again, /^a\.txt:1: a+!$/);
  test.abort.abort();
  await assert.rejects(result, /interrupted/);
});

test("a hostile expression fails after its time limit", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const matcher = new LineMatcher(/^(a+)+$/);
  const found = matcher.find(`${"a".repeat(60)}!`, { limit: 1, width: 80, signal: testCall().context.signal });
  t.mock.timers.tick(FILE_LIMIT_MS);
  await assert.rejects(found, /takes too long/);
});

test("searchText leaves out files that may hold secrets and says how many, but searches one that the call names", async (t) => {
  const root = folderOf(t, { "a.txt": "KEY", ".env": "KEY=1", "app/.env.local": "KEY=2", "app/b.pem": "KEY" });
  const workspace = { roots: () => [root], files: new SensitiveFiles({ roots: () => [root] }) };
  const tool = workspaceTools(workspace).get("searchText");
  const rows = async (input: object) => String(await runTool(tool, input, testCall().context)).split("\n");

  assert.deepEqual(await rows({ text: "KEY" }), [
    "a.txt:1: KEY",
    "[3 files that may hold secrets were left out: .env and 2 more. To read one, use readFile, which asks the user.]",
  ]);
  assert.deepEqual(await rows({ text: "KEY", glob: "*.pem" }), [
    '[No line in 0 files matches "KEY".]',
    "[1 file that may hold secrets was left out: app/b.pem. To read one, use readFile, which asks the user.]",
  ]);
  assert.deepEqual(await rows({ text: "KEY", path: ".env" }), [".env:1: KEY=1"]);
});
