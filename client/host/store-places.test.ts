import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { placesFolder, StorePlace } from "../../shared/store-place.ts";
import { registerStore } from "./store-places.ts";

/** A user's home with a folder of that name, and what is written down of the user's folders. */
function homeOf(t: TestContext, name: string) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "gavel-places-")));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const place = { platform: process.platform, home, variables: {} };
  const folder = join(home, name);
  mkdirSync(folder);
  const written = () => readdirSync(placesFolder(place)).filter((file) => file.endsWith(".json"));
  const places = () =>
    written().map((file) => StorePlace.parse(JSON.parse(readFileSync(join(placesFolder(place), file), "utf8"))));
  const register = (folders: readonly string[], storage: string) => {
    const storagePath = join(home, storage);
    return registerStore({ folders, storagePath, globalStoragePath: storagePath }, place);
  };
  return { home, place, folder, written, places, register };
}

test("of several folders, one that is gone does not keep the others from being written down", async (t) => {
  const { home, folder, places, register } = homeOf(t, "project");
  await register([join(home, "gone"), folder], "store");
  assert.deepEqual(places(), [
    { version: 1, folder, storagePath: join(home, "store"), globalStoragePath: join(home, "store") },
  ]);
});

test("a file that is written several times at once, or that a killed window left half written, is whole", async (t) => {
  const { home, folder, place, written, places, register } = homeOf(t, "project");
  await register([folder], "first");
  const [file = ""] = written();
  writeFileSync(join(placesFolder(place), `${file}.${process.pid}.new`), "half");
  await Promise.all(Array.from({ length: 8 }, () => register([folder], "second")));
  assert.deepEqual(
    places().map(({ storagePath }) => storagePath),
    [join(home, "second")],
  );
});
