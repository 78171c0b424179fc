import assert from "node:assert/strict";
import { readFileSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folderOf, testCall, toolOf } from "../testing.ts";

const calls: readonly { readonly tool: string; readonly input: object }[] = [
  { tool: "readFile", input: { path: "link" } },
  { tool: "editFile", input: { path: "link", old: "a", new: "b" } },
  { tool: "writeFile", input: { path: "link", content: "b" } },
  { tool: "searchText", input: { path: "link", text: "a" } },
  { tool: "listFiles", input: { path: "link" } },
];

for (const { tool: name, input } of calls) {
  test(`${name} refuses a path that leads elsewhere than when the call was approved`, async (t) => {
    const root = folderOf(t, { "approved.txt": "a", "other.txt": "a secret" });
    symlinkSync(join(root, "approved.txt"), join(root, "link"));
    const tool = toolOf([root], name);
    const effects = await tool.effects?.(input);
    unlinkSync(join(root, "link"));
    symlinkSync(join(root, "other.txt"), join(root, "link"));

    await assert.rejects(tool.run(input, { ...testCall().context, effects }), /is not what was approved/);
    assert.equal(readFileSync(join(root, "other.txt"), "utf8"), "a secret");
  });
}

test("runCommand refuses a folder that leads elsewhere than when the call was approved", async (t) => {
  const root = folderOf(t, { "approved/a.txt": "", "other/a.txt": "" });
  symlinkSync(join(root, "approved"), join(root, "link"), "junction");
  const tool = toolOf([root], "runCommand");
  const input = { command: "echo done", cwd: "link" };
  const effects = await tool.effects?.(input);
  rmSync(join(root, "link"));
  symlinkSync(join(root, "other"), join(root, "link"), "junction");

  await assert.rejects(tool.run(input, { ...testCall().context, effects }), /is not what was approved/);
});

test("a tool does nothing without effects that were approved", async (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  const { context } = testCall();
  await assert.rejects(toolOf([root], "readFile").run({ path: "a.txt" }, context), /is not what was approved/);
  await assert.rejects(toolOf([root], "runCommand").run({ command: "echo a" }, context), /is not what was approved/);
});
