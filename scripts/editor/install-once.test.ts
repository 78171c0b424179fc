import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { installOnce } from "./install-once.ts";

const scratch = mkdtempSync(join(tmpdir(), "gavel-install-"));
after(() => rmSync(scratch, { recursive: true }));

const writes = (text: string) => async (staging: string) => writeFileSync(join(staging, "file"), text);

test("an installation happens once and appears complete", async () => {
  const folder = join(scratch, "once", "1.0");
  await installOnce(folder, async (staging) => {
    assert.equal(existsSync(folder), false, "no one sees a partial installation");
    await writes("first")(staging);
  });
  await installOnce(folder, writes("second"));
  assert.equal(readFileSync(join(folder, "file"), "utf8"), "first");
  assert.deepEqual(readdirSync(join(scratch, "once")), ["1.0"]);
});

test("of two installations at the same time one is kept, and both succeed", async () => {
  const folder = join(scratch, "race", "1.0");
  await Promise.all([installOnce(folder, writes("a")), installOnce(folder, writes("b"))]);
  assert.match(readFileSync(join(folder, "file"), "utf8"), /^[ab]$/);
  assert.deepEqual(readdirSync(join(scratch, "race")), ["1.0"]);
});

test("an installation that fails leaves no files and reports why", async () => {
  const folder = join(scratch, "fails", "1.0");
  const failing = installOnce(folder, async (staging) => {
    await writes("half")(staging);
    throw new Error("the network is down");
  });
  await assert.rejects(failing, /the network is down/);
  assert.deepEqual(readdirSync(join(scratch, "fails")), []);
});

test("the files of a killed installation are removed by the next one", async () => {
  const folder = join(scratch, "killed", "1.0");
  // No process has an id this high: the maximum on Linux is 2^22.
  mkdirSync(join(scratch, "killed", ".1.0.installing-99999999-abc"), { recursive: true });
  await installOnce(folder, writes("whole"));
  assert.deepEqual(readdirSync(join(scratch, "killed")), ["1.0"]);
});
