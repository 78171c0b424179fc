import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SensitiveFiles } from "../../engine/index.ts";
import { folderOf } from "../testing.ts";
import { readMemoryFile } from "./memory-file.ts";
import { MAX_TEXT } from "./read-file.ts";

const read = (folders: readonly string[], file: string): Promise<string> =>
  readMemoryFile({ roots: () => folders }, file);

test("a memory file is read completely, and again each time", async (t) => {
  const folder = folderOf(t, { "docs/rules.md": "Be kind.\nBe brief.\n" });

  assert.equal(await read([folder], "docs/rules.md"), "Be kind.\nBe brief.\n");
});

test("only the start of a long file is read, with a note", async (t) => {
  const folder = folderOf(t, { "long.md": "x".repeat(MAX_TEXT + 1) });

  assert.equal(await read([folder], "long.md"), `${"x".repeat(MAX_TEXT)}\n[The file is longer; the rest is left out.]`);
});

test("nothing outside the workspace is read, neither by path nor through a link", async (t) => {
  const outside = folderOf(t, { "secret.md": "secret" });
  const folder = folderOf(t);
  symlinkSync(join(outside, "secret.md"), join(folder, "link.md"));

  await assert.rejects(read([folder], join(outside, "secret.md")), /outside the workspace/);
  await assert.rejects(read([folder], "../secret.md"), /outside the workspace/);
  await assert.rejects(read([folder], "link.md"), /out of the workspace/);
});

test("the error for an unreadable file says why", async (t) => {
  const folder = folderOf(t, { "picture.png": new Uint8Array([1, 0, 2]), "docs/a.md": "a" });

  await assert.rejects(read([folder], "missing.md"), /There is no "missing.md" in the workspace/);
  await assert.rejects(read([folder], "picture.png"), /binary/);
  await assert.rejects(read([folder], "docs"), /is a folder/);
  await assert.rejects(read([], "docs/a.md"), /needs an open folder/);
});

test("a file that may hold secrets is not read, neither by its name nor through a link", async (t) => {
  const folder = folderOf(t, { ".env": "KEY=1", "docs/a.md": "a" });
  symlinkSync(".env", join(folder, "notes.md"));
  const workspace = { roots: () => [folder], files: new SensitiveFiles({ roots: () => [folder] }) };

  for (const file of [".env", "notes.md"]) {
    await assert.rejects(readMemoryFile(workspace, file), /may hold secrets, and is not shown to a model/);
  }
  assert.equal(await readMemoryFile(workspace, "docs/a.md"), "a");
});
