import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { fileListSetting } from "./file-lists.ts";

test("a list of globs is taken, with ~ as the home folder", () => {
  const setting = fileListSetting("gavel.secretFiles");
  assert.deepEqual(setting.value, []);
  assert.equal(setting.update(["*.lua", "~/notes/**", "a~/b"]), undefined);
  assert.deepEqual(setting.value, ["*.lua", `${homedir().replaceAll("\\", "/")}/notes/**`, "a~/b"]);
  assert.equal(setting.update(null), undefined);
  assert.deepEqual(setting.value, []);
});

test("what is not a glob is left out with a warning, and the others still count", () => {
  const setting = fileListSetting("gavel.secretFiles");
  const problem = setting.update(["*.lua", "", "**/*", 3, null, "x".repeat(1001)]);
  assert.match(problem ?? "", /^The setting gavel\.secretFiles has 5 entries that cannot be used; use at most/);
  assert.deepEqual(setting.value, ["*.lua"]);
  assert.match(setting.update(Array.from({ length: 1001 }, (_, at) => `f${at}`)) ?? "", /has 1 entry that/);
});

test("a value that is no list counts as none", () => {
  const setting = fileListSetting("gavel.secretFiles");
  assert.equal(setting.update({ provider: "openai" }), undefined);
  assert.deepEqual(setting.value, []);
});
