import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { changedFiles, fileVersions } from "./file-versions.ts";

test("a moved file is told once, with where it was; one that was also written is another file", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "gavel-versions-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const at = (name: string): string => join(folder, name);
  mkdirSync(at("src"));
  for (const name of ["same", "same too", "src/inner", "gone", "written"]) writeFileSync(at(name), "text");
  const look = async () => {
    const versions = await fileVersions({ roots: () => [folder] }, new AbortController().signal);
    assert.ok(versions);
    return versions;
  };
  const before = await look();
  renameSync(at("same"), at("moved"));
  renameSync(at("src"), at("lib"));
  rmSync(at("gone"));
  renameSync(at("written"), at("rewritten"));
  writeFileSync(at("rewritten"), "other text");
  const changed = changedFiles(before, await look());
  assert.deepEqual(
    changed.map(({ shown, change, from }) => [shown, change, ...(from === undefined ? [] : [from.shown])]),
    [
      ["gone", "deleted"],
      ["lib/inner", "created", "src/inner"],
      ["moved", "created", "same"],
      ["rewritten", "created"],
      ["written", "deleted"],
    ],
  );
});
