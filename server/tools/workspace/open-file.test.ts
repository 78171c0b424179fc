import assert from "node:assert/strict";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folderOf } from "../testing.ts";
import { withOpenFile } from "./open-file.ts";
import { locate } from "./workspace.ts";

/** A workspace `in` beside a secret, and `in/src/a.txt` located in it. */
async function locatedFile(t: { after(remove: () => void): void }) {
  const outer = folderOf(t, { "out/a.txt": "secret", "in/src/a.txt": "open" });
  return { outer, place: await locate({ roots: () => [join(outer, "in")] }, "src/a.txt") };
}

const read = (place: Parameters<typeof withOpenFile>[0]) => withOpenFile(place, (handle) => handle.readFile("utf8"));

test("a located file can be read", async (t) => {
  const { place } = await locatedFile(t);
  assert.equal(await read(place), "open");
});

test("a file that was replaced by a link out of the workspace after it was located is not read", async (t) => {
  const { outer, place } = await locatedFile(t);
  rmSync(place.path);
  symlinkSync(join(outer, "out", "a.txt"), place.path);
  await assert.rejects(read(place), /"src\/a\.txt"/);
});

test("a file is not read when its folder was replaced by a link out of the workspace after it was located", async (t) => {
  const { outer, place } = await locatedFile(t);
  renameSync(join(outer, "in", "src"), join(outer, "in", "was"));
  symlinkSync(join(outer, "out"), join(outer, "in", "src"), "junction");
  await assert.rejects(read(place), /was moved while it was being opened/);
});
