import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { ScratchFolder } from "../store/testing/scratch-folder.ts";
import { expandWildcards } from "./expand-wildcards.ts";

test("wildcards match names as a shell does, and links count as what they lead to", () => {
  using scratch = new ScratchFolder();
  mkdirSync(join(scratch.path, "src"));
  for (const name of [".env", "a.ts", "B.TS", "src/c.ts"]) writeFileSync(join(scratch.path, name), "");
  symlinkSync(".env", join(scratch.path, "notes"));
  const expand = (pattern: string) =>
    [...new Set(expandWildcards(join(scratch.path, pattern)))].map((path) => relative(scratch.path, path)).sort();

  assert.deepEqual(expand("*.ts"), ["B.TS", "a.ts"]);
  assert.deepEqual(expand("*"), [".env", "B.TS", "a.ts", "notes", "src"]);
  assert.deepEqual(expand("not*"), [".env", "notes"]);
  assert.deepEqual(expand(".e*"), [".env"]);
  assert.deepEqual(expand("s?c/*.ts"), ["src/c.ts"]);
  assert.deepEqual(expand("missing/*"), []);
});

test("a pattern that matches in too many files is not looked through", () => {
  using scratch = new ScratchFolder();
  for (let at = 0; at <= 2000; at++) writeFileSync(join(scratch.path, `f${at}`), "");
  assert.equal(expandWildcards(join(scratch.path, "*.ts")), undefined);
});
