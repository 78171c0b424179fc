import assert from "node:assert/strict";
import { mkdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { folderOf, waitUntil } from "../testing.ts";
import { type PathRules, WorkspacePaths } from "./workspace-paths.ts";

/** Rules by name, which count how many paths they judge. */
function rulesOf(hidden: readonly string[], readOnly: readonly string[]): PathRules & { judged: number } {
  const rules = {
    judged: 0,
    key: JSON.stringify([hidden, readOnly]),
    isHidden: (path: string): boolean => {
      rules.judged++;
      return hidden.includes(basename(path));
    },
    isReadOnly: (path: string) => readOnly.includes(basename(path)),
  };
  return rules;
}

/** Resolves when the clock of the file system, which may have ticks of several milliseconds, shows another time. */
async function clockTick(): Promise<void> {
  const start = Date.now();
  await waitUntil(() => Date.now() > start + 20);
}

const signal = new AbortController().signal;

test("finds what is hidden and protected at any depth, but not in installed packages", async (t) => {
  const root = folderOf(t, {
    ".env": "",
    "a/b/.env": "",
    "a/.vscode/x": "",
    "secrets/.env": "",
    "node_modules/p/.env": "",
    "c.txt": "",
  });
  symlinkSync(join(root, "c.txt"), join(root, "a", ".env"));
  const found = await new WorkspacePaths().find([root], rulesOf([".env", "secrets"], [".vscode"]), signal);
  assert.deepEqual(
    found.hidden,
    [".env", "a/b/.env", "c.txt", "secrets"].map((path) => join(root, path)),
  );
  assert.deepEqual(found.readOnly, [join(root, "a/.vscode")]);
});

test("judges a folder again only when it or the rules have changed", async (t) => {
  const root = folderOf(t, { "a/1": "", "a/2": "", "b/1": "" });
  const paths = new WorkspacePaths(() => BigInt(Date.now() + 1000));
  const rules = rulesOf([".env"], []);
  await paths.find([root], rules, signal);
  assert.equal(rules.judged, 5);
  await paths.find([root], rules, signal);
  assert.equal(rules.judged, 5);
  await clockTick();
  writeFileSync(join(root, "a/.env"), "");
  assert.deepEqual((await paths.find([root], rules, signal)).hidden, [join(root, "a/.env")]);
  assert.equal(rules.judged, 8);
  await clockTick();
  const { atime, mtime } = statSync(join(root, "b"));
  renameSync(join(root, "b"), join(root, "d"));
  renameSync(join(root, "a"), join(root, "b"));
  utimesSync(join(root, "b"), atime, mtime);
  assert.deepEqual((await paths.find([root], rules, signal)).hidden, [join(root, "b/.env")]);
  await clockTick();
  renameSync(join(root, "b"), join(root, "c"));
  mkdirSync(join(root, "a"));
  assert.deepEqual((await paths.find([root], rules, signal)).hidden, [join(root, "c/.env")]);
  assert.deepEqual((await paths.find([root], rulesOf(["d"], []), signal)).hidden, [join(root, "d")]);
});

test("gives other work a turn while it reads a large folder, and stops when it is aborted", async (t) => {
  const files = Array.from({ length: 1000 }, (_, at) => [`f${at}`, ""]);
  const root = folderOf(t, Object.fromEntries(files));
  const rules = rulesOf([], []);
  const turns: number[] = [];
  let done = false;
  const tick = (): void => {
    turns.push(rules.judged);
    if (!done) setImmediate(tick);
  };
  tick();
  await new WorkspacePaths().find([root], rules, signal);
  done = true;
  const steps = turns.slice(1).map((judged, at) => judged - (turns[at] ?? 0));
  assert.ok(Math.max(...steps) <= 200, String(steps));
  await assert.rejects(new WorkspacePaths().find([root], rules, AbortSignal.abort(new Error("stopped"))), /stopped/);
});
