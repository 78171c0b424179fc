import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { installOnce } from "./install-once.ts";

const scratch = mkdtempSync(join(tmpdir(), "gavel-install-"));
after(() => rmSync(scratch, { recursive: true }));

const writes = (text: string) => async (staging: string) => writeFileSync(join(staging, "file"), text);

test("an installation is put in place once, whole", async () => {
  const folder = join(scratch, "once", "1.0");
  await installOnce(folder, async (staging) => {
    assert.equal(existsSync(folder), false, "nobody sees it half-way");
    await writes("first")(staging);
  });
  await installOnce(folder, writes("second"));
  assert.equal(readFileSync(join(folder, "file"), "utf8"), "first");
  assert.deepEqual(readdirSync(join(scratch, "once")), ["1.0"]);
});

test("of two installations at the same time one stays, and both succeed", async () => {
  const folder = join(scratch, "race", "1.0");
  await Promise.all([installOnce(folder, writes("a")), installOnce(folder, writes("b"))]);
  assert.match(readFileSync(join(folder, "file"), "utf8"), /^[ab]$/);
  assert.deepEqual(readdirSync(join(scratch, "race")), ["1.0"]);
});

test("an installation that fails leaves nothing behind and tells why", async () => {
  const folder = join(scratch, "fails", "1.0");
  const failing = installOnce(folder, async (staging) => {
    await writes("half")(staging);
    throw new Error("the network is down");
  });
  await assert.rejects(failing, /the network is down/);
  assert.deepEqual(readdirSync(join(scratch, "fails")), []);
});

test("what a killed installation left is removed by the next one", async () => {
  const folder = join(scratch, "killed", "1.0");
  // No process has so high an id: Linux stops at 2^22.
  mkdirSync(join(scratch, "killed", ".1.0.installing-99999999-abc"), { recursive: true });
  await installOnce(folder, writes("whole"));
  assert.deepEqual(readdirSync(join(scratch, "killed")), ["1.0"]);
});
