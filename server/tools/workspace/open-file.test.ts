import assert from "node:assert/strict";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folderOf } from "../testing.ts";
import { withFile } from "./open-file.ts";
import { locate } from "./workspace.ts";

/** A workspace `in` beside a secret, and the place of `in/src/a.txt` as it was before anybody tampered with it. */
async function locatedFile(t: { after(remove: () => void): void }) {
  const outer = folderOf(t, { "out/a.txt": "secret", "in/src/a.txt": "open" });
  return { outer, place: await locate({ roots: () => [join(outer, "in")] }, "src/a.txt") };
}

const read = (place: Parameters<typeof withFile>[0]) => withFile(place, (handle) => handle.readFile("utf8"));

test("a located file is read", async (t) => {
  const { place } = await locatedFile(t);
  assert.equal(await read(place), "open");
});

test("a file that gave way to a link out of the workspace, once it was located, is not read", async (t) => {
  const { outer, place } = await locatedFile(t);
  rmSync(place.path);
  symlinkSync(join(outer, "out", "a.txt"), place.path);
  await assert.rejects(read(place), /"src\/a\.txt"/);
});

test("a folder that gave way to a link out of the workspace, once its file was located, is not read from", async (t) => {
  const { outer, place } = await locatedFile(t);
  renameSync(join(outer, "in", "src"), join(outer, "in", "was"));
  symlinkSync(join(outer, "out"), join(outer, "in", "src"), "junction");
  await assert.rejects(read(place), /was moved while it was being opened/);
});
