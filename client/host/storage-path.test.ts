import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { workspaceStorage } from "./storage-path.ts";

test("all windows of a workspace store their teams where the first one does", (t) => {
  const all = mkdtempSync(join(tmpdir(), "gavel-storage-"));
  t.after(() => rmSync(all, { recursive: true, force: true }));
  for (const id of ["5d41402abc4b2a76b9719d911017c592", "-72f3839c", "22b0372", "-7"]) {
    mkdirSync(join(all, id));
    const first = join(all, id, "gavel.gavel");
    assert.equal(workspaceStorage(first), first);
    assert.equal(workspaceStorage(join(all, `${id}-1`, "gavel.gavel")), first);
    assert.equal(workspaceStorage(join(all, `${id}-9`, "gavel.gavel")), first);
  }
});

test("a folder with another name is left as it is", () => {
  for (const path of [
    "/storage/0a1b2c-1/gavel.gavel",
    "/storage/ext-dev/gavel.gavel",
    "/storage/globalStorage/gavel.gavel",
  ])
    assert.equal(workspaceStorage(path), path);
});
