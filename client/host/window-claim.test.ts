import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { WindowClaim } from "./window-claim.ts";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "gavel-windows-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a window has the same id after a reload, and two windows have different ones", (t) => {
  const folder = folderOf(t);
  const [first, second] = [new WindowClaim(folder), new WindowClaim(folder)];
  const { id } = first;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(first.id, id);
  assert.notEqual(second.id, id);
  first.release();
  const reloaded = new WindowClaim(folder);
  assert.equal(reloaded.id, id);
  assert.notEqual(new WindowClaim(folder).id, id);
});

test("the id of a window that was killed is free again, that of one that runs is not", async (t) => {
  const folder = folderOf(t);
  const other = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  t.after(() => other.kill());
  await once(other, "spawn");
  const foreign = "00000000-0000-4000-8000-000000000000";
  mkdirSync(join(folder, "windows"));
  writeFileSync(join(folder, "windows", `${foreign}.${other.pid}`), "");
  assert.notEqual(new WindowClaim(folder).id, foreign);
  const gone = once(other, "exit");
  other.kill();
  await gone;
  assert.equal(new WindowClaim(folder).id, foreign);
});

test("no more ids are kept than windows are likely to come back", (t) => {
  const folder = folderOf(t);
  const claims = Array.from({ length: 30 }, () => new WindowClaim(folder));
  assert.equal(new Set(claims.map(({ id }) => id)).size, 30);
  for (const claim of claims) claim.release();
  assert.ok(new WindowClaim(folder).id);
  assert.equal(readdirSync(join(folder, "windows")).length, 20);
});

test("a folder in which nothing can be written gives an id all the same", (t) => {
  const folder = folderOf(t);
  writeFileSync(join(folder, "windows"), "a file");
  const claim = new WindowClaim(folder);
  assert.match(claim.id, /^[0-9a-f-]{36}$/);
  assert.equal(claim.id, claim.id);
});
