import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { runCommandTool } from "../command/run-command.ts";
import { folderOf, runTool, testCall } from "../testing.ts";
import { guardOf, sandboxed } from "./testing.ts";

// A rejection that no one handles ends the host, and fails this test.
test("a command that is interrupted while its sandbox is prepared leaves nothing behind", sandboxed, async (t) => {
  const root = folderOf(t, { "a.txt": "" });
  const guard = guardOf();
  const wanted = {
    command: "true",
    cwd: root,
    env: {},
    roots: [root],
    rules: await guard.rules({ teamId: "t", participant: "ann" }),
    hidden: [],
    allowedHosts: [],
  };

  await assert.rejects(guard.sandbox.prepare(wanted, AbortSignal.abort(new Error("stopped"))), /^Error: stopped$/);
  assert.deepEqual(readdirSync(root), ["a.txt"]);
});

test("a command does not start when it is interrupted at the end of its preparation", sandboxed, async (t) => {
  // The only folder that is looked through is the root itself.
  const root = folderOf(t, { ".git/HEAD": "", ".vscode": "" });
  const call = testCall();
  const interrupts = (): boolean => {
    call.abort.abort(new Error("stopped"));
    return false;
  };
  const tool = runCommandTool({ roots: () => [root] }, guardOf({}, [], interrupts));

  await assert.rejects(runTool(tool, { command: "touch b.txt" }, call.context), /^Error: stopped$/);
  assert.deepEqual(readdirSync(root).sort(), [".git", ".vscode"]);
});

test(
  "what protects the workspace stays until no process of a command runs, also one that is deaf to signals",
  sandboxed,
  async (t) => {
    const deaf =
      "process.on('SIGTERM', () => {}); for (;;) try { fs.mkdirSync('.git/hooks', { recursive: true }) } catch {}";
    for (let attempt = 0; attempt < 4; attempt++) {
      const root = folderOf(t, { "a.txt": "" });
      const tool = runCommandTool({ roots: () => [root] }, guardOf());
      await runTool(tool, { command: `node -e "${deaf}"`, timeoutSeconds: 0.5 }, testCall().context);
      assert.deepEqual(readdirSync(root), ["a.txt"]);
    }
  },
);

test("a command does not start without a sandbox either when it is interrupted before", async (t) => {
  const root = folderOf(t, { "a.txt": "" });
  const call = testCall();
  const settings = () => {
    call.abort.abort(new Error("stopped"));
    return { sandbox: false, allowedHosts: [], environment: [] };
  };
  const tool = runCommandTool({ roots: () => [root] }, { ...guardOf(), settings });

  await assert.rejects(runTool(tool, { command: "touch b.txt" }, call.context), /^Error: stopped$/);
  assert.deepEqual(readdirSync(root), ["a.txt"]);
});
