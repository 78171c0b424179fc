import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SessionFolder } from "../session/session-folder.ts";
import { folderOf } from "../testing.ts";
import { locate } from "../workspace/workspace.ts";
import { writeAtomically } from "./atomic-write.ts";
import { readDiskFile } from "./disk-file.ts";

const windows = process.platform === "win32";

test("a write that fails halfway leaves the file unchanged and no other file behind", { skip: windows }, (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  // A file size limit of the shell (8 or 16 KB, depending on the shell) stands in for a full disk.
  const script = `
    import { workspaceTools } from ${JSON.stringify(join(import.meta.dirname, "../index.ts"))};
    import { runTool } from ${JSON.stringify(join(import.meta.dirname, "../testing.ts"))};
    const context = { teamId: "t", participant: "p", ref: "r", signal: new AbortController().signal, metadata: {}, output() {} };
    const input = { path: "a.txt", content: "b".repeat(1_000_000) };
    const tools = workspaceTools({ roots: () => [process.argv[1]] });
    await runTool(tools.get("writeFile"), input, context).catch((error) => process.stdout.write(error.message));
  `;
  const args = ["-c", 'ulimit -f 16; exec "$0" --input-type=module -e "$1" "$2"', process.execPath, script, root];
  const { stdout, stderr } = spawnSync("/bin/sh", args, { encoding: "utf8", timeout: 120_000, killSignal: "SIGKILL" });
  assert.equal(
    stdout,
    '"a.txt" could not be written and is unchanged: the system does not allow a file of that size.',
    stderr,
  );
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "a");
  assert.deepEqual(readdirSync(root), ["a.txt"]);
});

for (const [what, path, why] of [
  ["the system makes no folder", "/proc/gavel/new/a.txt", "its folder does not exist and cannot be made"],
  ["a file is in the way", "/dev/null/new/a.txt", "a part of its path is a file instead of a folder"],
] as const) {
  test(`a new file is refused in a sentence where ${what}`, {
    skip: process.platform !== "linux" && "needs /proc",
  }, () => {
    const script = `
      import { writeAtomically } from ${JSON.stringify(join(import.meta.dirname, "atomic-write.ts"))};
      const place = { path: process.argv[1], shown: "a.txt", root: "/" };
      await writeAtomically(place, undefined, Buffer.from("x"), { note: () => () => {} })
        .catch((error) => process.stdout.write(error.message));
    `;
    const args = ["--input-type=module", "-e", script, path];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      timeout: 120_000,
      killSignal: "SIGKILL",
    });
    assert.equal(stdout, `"a.txt" could not be written and is unchanged: ${why}.`, stderr);
  });
}

test("a file is not written when its folder was replaced by a link out of the workspace after it was read", async (t) => {
  const outer = folderOf(t, { "out/a.txt": "secret", "in/src/a.txt": "open" });
  const place = await locate({ roots: () => [join(outer, "in")] }, "src/a.txt");
  const was = await readDiskFile(place);
  renameSync(join(outer, "in", "src"), join(outer, "in", "was"));
  symlinkSync(join(outer, "out"), join(outer, "in", "src"), "junction");
  await assert.rejects(
    writeAtomically(place, was, Buffer.from("x"), new SessionFolder()),
    /"src\/a\.txt" was moved while it was being written/,
  );
  assert.equal(readFileSync(join(outer, "out", "a.txt"), "utf8"), "secret");
  assert.deepEqual(readdirSync(join(outer, "out")), ["a.txt"]);
});

test("nothing outside the workspace is touched when a link replaces the folder while a file in it is written", {
  skip: process.platform !== "linux" && "needs Linux",
}, async (t) => {
  const outer = folderOf(t, { "out/a.txt": "a", "in/src/a.txt": "a" });
  const [inside, outside] = [join(outer, "in"), join(outer, "out")];
  const place = await locate({ roots: () => [inside] }, "src/a.txt");
  const was = await readDiskFile(place);
  const { mtimeNs } = statSync(outside, { bigint: true });
  const note = () => {
    renameSync(join(inside, "src"), join(inside, "was"));
    symlinkSync(outside, join(inside, "src"));
    return () => {};
  };
  await assert.rejects(writeAtomically(place, was, Buffer.from("x"), { note }), /"src\/a\.txt" was moved/);
  assert.equal(statSync(outside, { bigint: true }).mtimeNs, mtimeNs);
  assert.deepEqual(readdirSync(join(inside, "was")), ["a.txt"]);
});

test("the error names a folder at the path of the new file as the cause", async (t) => {
  const root = folderOf(t);
  mkdirSync(join(root, "a"));
  const place = { path: join(root, "a"), shown: "a", root };
  await assert.rejects(writeAtomically(place, undefined, Buffer.from("x"), new SessionFolder()), /"a"/);
  assert.deepEqual(readdirSync(root), ["a"]);
});
