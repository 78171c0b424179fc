import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileText } from "./file-text.ts";

const folder = mkdtempSync(join(tmpdir(), "gavel-file-text-"));
after(() => rmSync(folder, { recursive: true }));

test("a file is read, and none that is missing, a folder or too large", async () => {
  const path = join(folder, "mcp.json");
  writeFileSync(path, "{}");
  assert.equal(await fileText(path), "{}");
  writeFileSync(path, "x".repeat(1024 * 1024 + 1));
  assert.equal(await fileText(path), undefined);
  assert.equal(await fileText(folder), undefined);
  assert.equal(await fileText(join(folder, "none")), undefined);
});

test("a link to a device or a pipe is not read: neither has an end", {
  skip: process.platform === "win32",
}, async () => {
  const zero = join(folder, "zero.json");
  symlinkSync("/dev/zero", zero);
  assert.equal(await fileText(zero), undefined);
  const pipe = join(folder, "pipe.json");
  execFileSync("/bin/sh", ["-c", 'mkfifo "$1"', "sh", pipe]);
  assert.equal(await fileText(pipe), undefined);
});
