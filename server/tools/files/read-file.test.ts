import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { callTool, folderOf, runTool, testCall, toolOf } from "../testing.ts";
import { MAX_LINES, MAX_TEXT } from "./read-file.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

test("readFile returns a file's text unchanged", async (t) => {
  const root = folderOf(t, { "src/a.txt": "one\r\ntwo\n\nfour" });
  assert.equal(await callTool([root], "readFile", { path: "src/a.txt" }), "one\r\ntwo\n\nfour");
});

test("readFile returns the requested lines, without a note", async (t) => {
  const root = folderOf(t, { "a.txt": numbered(10) });
  assert.equal(await callTool([root], "readFile", { path: "a.txt", from: 3, to: 4 }), "line 3\nline 4\n");
  assert.equal(await callTool([root], "readFile", { path: "a.txt", from: 9 }), "line 9\nline 10\n");
  assert.equal(await callTool([root], "readFile", { path: "a.txt", from: 10, to: 99 }), "line 10\n");
});

test("readFile stops at its limit of lines and says how to continue, which returns the rest", async (t) => {
  const root = folderOf(t, { "a.txt": numbered(MAX_LINES + 5) });
  const first = await callTool([root], "readFile", { path: "a.txt" });
  assert.ok(
    first.endsWith(
      `line ${MAX_LINES}\n[Only lines 1 to ${MAX_LINES} are shown. Continue with from: ${MAX_LINES + 1}.]`,
    ),
  );
  const rest = await callTool([root], "readFile", { path: "a.txt", from: MAX_LINES + 1 });
  assert.equal(rest, numbered(MAX_LINES + 5).slice(numbered(MAX_LINES).length));
});

test("readFile adds no note when a file ends at the limit", async (t) => {
  const root = folderOf(t, { "a.txt": numbered(MAX_LINES) });
  assert.equal(await callTool([root], "readFile", { path: "a.txt" }), numbered(MAX_LINES));
});

test("readFile returns whole lines up to its limit of text from a large file", async (t) => {
  const line = `${"x".repeat(999)}\n`;
  const root = folderOf(t, { "a.txt": line.repeat(5000) });
  const text = await callTool([root], "readFile", { path: "a.txt" });
  assert.ok(text.startsWith(line.repeat(102)));
  assert.ok(text.endsWith(`${line}[Only lines 1 to 102 are shown. Continue with from: 103.]`));
  assert.match(await callTool([root], "readFile", { path: "a.txt", from: 4950 }), /^(x{999}\n){51}$/);
});

test("readFile cuts a line that is longer than its limit, and says so", async (t) => {
  const root = folderOf(t, { "a.txt": `${"x".repeat(MAX_TEXT + 1)}\nlast\n` });
  const text = await callTool([root], "readFile", { path: "a.txt" });
  assert.match(text, /x\n\[Line 1 is longer than 100 KB; the rest of it is left out\. Continue with from: 2\.\]$/);
  assert.equal(await callTool([root], "readFile", { path: "a.txt", from: 2 }), "last\n");
});

test("readFile detects UTF-8 and UTF-16 by their marks, even where a character is split between pieces", async (t) => {
  const text = `${"é".repeat(40_000)}😀\n`;
  const bigEndian = Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  const root = folderOf(t, {
    "plain.txt": text,
    "marked.txt": `\ufeff${text}`,
    "little.txt": Buffer.from(`\ufeff${text}`, "utf16le"),
    "big.txt": bigEndian,
  });
  for (const path of ["plain.txt", "marked.txt", "little.txt", "big.txt"]) {
    assert.equal(await callTool([root], "readFile", { path }), text, path);
  }
});

test("readFile refuses a binary file, a folder and a pipe, each with a sentence", async (t) => {
  const root = folderOf(t, { "a.png": new Uint8Array([137, 80, 78, 71, 0, 0, 1]), "src/a.txt": "" });
  await assert.rejects(callTool([root], "readFile", { path: "a.png" }), /"a\.png" is a binary file/);
  await assert.rejects(callTool([root], "readFile", { path: "src" }), /"src" is a folder; list it with listFiles/);
  if (process.platform === "win32") return;
  execFileSync("/bin/sh", ["-c", 'mkfifo "$1"', "sh", join(root, "pipe")], { timeout: 120_000 });
  await assert.rejects(callTool([root], "readFile", { path: "pipe" }), /not a regular file/);
});

test("readFile says that a file is empty, and where a file ends", async (t) => {
  const root = folderOf(t, { "empty.txt": "", "a.txt": "one\ntwo" });
  assert.equal(await callTool([root], "readFile", { path: "empty.txt" }), "[The file is empty.]");
  await assert.rejects(callTool([root], "readFile", { path: "a.txt", from: 3 }), /has 2 lines; there is no line 3/);
  await assert.rejects(callTool([root], "readFile", { path: "a.txt", from: 2, to: 1 }), /comes before/);
});

test("readFile suggests similar names for a missing file", async (t) => {
  const root = folderOf(t, { "src/split.js": "", "test/split.test.js": "", "README.md": "" });
  await assert.rejects(
    callTool([root], "readFile", { path: "lib/splitt.js" }),
    /no file "lib\/splitt\.js".*Did you mean src\/split\.js/,
  );
  await assert.rejects(callTool([root], "readFile", { path: "x/readme.md" }), /Did you mean README\.md/);
  await assert.rejects(
    callTool([root], "readFile", { path: "quite-different.py" }),
    /Use listFiles to see the existing files/,
  );
  await assert.rejects(callTool([root], "readFile", { path: "README.md/a" }), /There is no file/);
});

test("readFile, listFiles and searchText end immediately when the call is interrupted", async (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  for (const name of ["readFile", "listFiles", "searchText"]) {
    const test = testCall();
    const input = { ...(name === "searchText" ? { text: "a" } : {}), path: name === "readFile" ? "a.txt" : "." };
    const tool = toolOf([root], name);
    const result = tool.run(input, { ...test.context, effects: await tool.effects?.(input) });
    test.abort.abort();
    await assert.rejects(result, /interrupted/, name);
    await assert.rejects(callTool([root], name, input, test), name);
  }
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("readFile shows an image, whatever its name, and its type is that of its content", async (t) => {
  const root = folderOf(t, { "logo.txt": PNG, "not.png": "text" });
  assert.deepEqual(await runTool(toolOf([root], "readFile"), { path: "logo.txt" }, testCall().context), {
    content: [
      { type: "text", text: 'The image "logo.txt", 1 KB:' },
      { type: "image", uri: `data:image/png;base64,${PNG.toString("base64")}`, mimeType: "image/png" },
    ],
  });
  assert.equal(await callTool([root], "readFile", { path: "not.png" }), "text");
});

test("readFile refuses an image that is too large for models, and other binary files", async (t) => {
  const large = Buffer.concat([PNG, Buffer.alloc(3.5 * 1024 * 1024)]);
  const root = folderOf(t, { "large.png": large, "a.bin": new Uint8Array([1, 0, 2]) });
  await assert.rejects(callTool([root], "readFile", { path: "large.png" }), /larger than 3\.5 MB; scale it down/);
  await assert.rejects(callTool([root], "readFile", { path: "a.bin" }), /binary file/);
});
