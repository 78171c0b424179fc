import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { callTool, folderOf, testCall, waitUntil } from "../testing.ts";
import { MAX_LIVE_OUTPUT } from "./live-output.ts";
import { KEPT_PER_END } from "./output-window.ts";

const posix = { skip: process.platform === "win32" ? "needs a POSIX shell" : false };
const node = JSON.stringify(process.execPath);

/** True once no process with that id is running. A zombie counts as ended. */
function isDead(pid: number): boolean {
  try {
    return execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8", timeout: 120_000 }).startsWith(
      "Z",
    );
  } catch {
    return true;
  }
}

/** The process id that a command printed as `pid N`. */
const pidIn = (text: string): number | undefined => {
  const digits = /pid (\d+)\n/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** A grandchild of the shell that ignores SIGTERM, and a command that waits for it. It ends by itself after two minutes. */
const DEAF = `${node} -e 'process.on("SIGTERM", () => {}); setTimeout(() => {}, 120_000); console.log("pid " + process.pid)' & wait`;

test("runCommand returns the output, in order, and the exit code", posix, async (t) => {
  const root = folderOf(t);
  const output = "echo a; echo b >&2; echo c; exit 3";
  assert.equal(await callTool([root], "runCommand", { command: output }), "a\nb\nc\nexit code 3");
  assert.equal(await callTool([root], "runCommand", { command: "printf x" }), "x\nexit code 0");
  assert.equal(await callTool([root], "runCommand", { command: "true" }), "exit code 0");
  assert.equal(await callTool([root], "runCommand", { command: "kill -9 $$" }), "ended by signal SIGKILL");
});

test("runCommand says how the command ended apart from what it printed", posix, async (t) => {
  const root = folderOf(t);
  const exitOf = async (input: object): Promise<unknown> => {
    const call = testCall();
    const exits: unknown[] = [];
    await callTool([root], "runCommand", input, {
      ...call,
      context: { ...call.context, exited: (exit) => exits.push(exit) },
    });
    return exits;
  };
  assert.deepEqual(await exitOf({ command: "echo 'exit code 0'; exit 3" }), [{ code: 3 }]);
  assert.deepEqual(await exitOf({ command: "echo 'exit code 3'" }), [{ code: 0 }]);
  assert.deepEqual(await exitOf({ command: "kill -9 $$" }), [{ signal: "SIGKILL" }]);
  assert.deepEqual(await exitOf({ command: "sleep 60", timeoutSeconds: 1 }), [{ timedOut: true }]);
});

test("runCommand runs in the given folder, without input", posix, async (t) => {
  const root = folderOf(t, { "src/a.txt": "", "b.txt": "" });
  assert.equal(await callTool([root], "runCommand", { command: "ls; cat" }), "b.txt\nsrc\nexit code 0");
  assert.equal(await callTool([root], "runCommand", { command: "ls", cwd: "src" }), "a.txt\nexit code 0");
  await assert.rejects(callTool([root], "runCommand", { command: "ls", cwd: "b.txt" }), /is a file; give a folder/);
  await assert.rejects(callTool([root], "runCommand", { command: "ls", cwd: "c" }), /There is no "c"/);
});

test("runCommand shows output as it arrives, before the command ends", posix, async (t) => {
  const root = folderOf(t);
  const test = testCall();
  const result = callTool(
    [root],
    "runCommand",
    { command: "echo first; until [ -e go ]; do sleep 0.01; done; echo last" },
    test,
  );
  await waitUntil(() => test.shown() === "first\n");
  await callTool([root], "runCommand", { command: "touch go" });
  assert.equal(await result, "first\nlast\nexit code 0");
  assert.equal(test.shown(), "first\nlast\n");
});

test(
  "an abort ends runCommand at once, keeps what was printed, and kills a grandchild that is deaf to pleas",
  posix,
  async (t) => {
    const root = folderOf(t);
    const test = testCall();
    const result = callTool([root], "runCommand", { command: DEAF }, test);
    await waitUntil(() => pidIn(test.shown()) !== undefined);
    const pid = pidIn(test.shown()) ?? 0;
    assert.equal(isDead(pid), false);
    test.abort.abort();
    await assert.rejects(
      result,
      (error: Error) => error.message.includes(`pid ${pid}`) && /interrupted/.test(error.message),
    );
    await waitUntil(() => isDead(pid));
  },
);

test("a command that takes too long is ended, and the result says so", posix, async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const root = folderOf(t);
  const test = testCall();
  const result = callTool([root], "runCommand", { command: "echo a; sleep 1000", timeoutSeconds: 7 }, test);
  await waitUntil(() => test.shown() === "a\n");
  t.mock.timers.tick(7000);
  assert.equal(await result, "a\ntimed out after 7 s and was ended");
});

test(
  "a background process that keeps the pipe open does not delay the result, and is ended with the command",
  posix,
  async (t) => {
    const root = folderOf(t);
    const result = await callTool([root], "runCommand", { command: `sleep 1000 & echo pid $!` });
    assert.match(result, /^pid \d+\nexit code 0$/);
    await waitUntil(() => isDead(pidIn(result) ?? 0));
  },
);

test("endless output is kept and shown within limits, and its end is the most recent", posix, async (t) => {
  const root = folderOf(t);
  const test = testCall();
  const command = `yes "line of output"`;
  const result = callTool([root], "runCommand", { command }, test);
  await waitUntil(() => test.shown().includes("More output follows"));
  test.abort.abort();
  await assert.rejects(result, (error: Error) => error.message.length < 2 * KEPT_PER_END + 200);
  assert.ok(test.shown().length < MAX_LIVE_OUTPUT + 200);
});

test("of long output the start and the end are kept, with a note of how much was left out", posix, async (t) => {
  const root = folderOf(t);
  const text = await callTool([root], "runCommand", { command: "echo begin; yes x | head -c 1000000; echo end" });
  assert.ok(text.startsWith("begin\nx\n"));
  assert.ok(text.endsWith("x\nend\nexit code 0"));
  assert.match(text, /\[… 913 KB of output left out here …\]/);
  assert.ok(text.length < 2 * KEPT_PER_END + 200);
});

test("a character that arrives in two pieces is decoded correctly", posix, async (t) => {
  const root = folderOf(t);
  const command = `${node} -e 'process.stdout.write(Buffer.from([0xe2, 0x82])); setImmediate(() => process.stdout.write(Buffer.from([0xac])))'`;
  assert.equal(await callTool([root], "runCommand", { command }), "€\nexit code 0");
});

for (const [death, end] of [
  ["is killed", "until.then(() => process.kill(process.pid, 'SIGKILL'))"],
  ["exits", "until.then(() => process.exit())"],
] as const) {
  test(`a command and its children end with a host that ${death}`, posix, async (t) => {
    const root = folderOf(t);
    const script = `
      import { workspaceTools } from ${JSON.stringify(join(import.meta.dirname, "..", "index.ts"))};
      import { runTool } from ${JSON.stringify(join(import.meta.dirname, "..", "testing.ts"))};
      import { writeFileSync } from "node:fs";
      const { promise: until, resolve } = Promise.withResolvers();
      let shown = "";
      const output = (delta) => { shown += delta; if (shown.includes("\\n")) { writeFileSync("shown", shown); resolve(); } };
      const context = { signal: new AbortController().signal, output, metadata: {} };
      const tool = workspaceTools({ roots: () => [process.cwd()] }).get("runCommand");
      runTool(tool, { command: ${JSON.stringify(DEAF)} }, context);
      ${end};
    `;
    const host = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: root, stdio: "inherit" });
    t.after(() => host.kill("SIGKILL"));
    await once(host, "exit");
    const pid = pidIn(readFileSync(join(root, "shown"), "utf8")) ?? 0;
    assert.notEqual(pid, 0);
    await waitUntil(() => isDead(pid));
  });
}

test("a portable command returns its output", async (t) => {
  const root = folderOf(t);
  assert.match(await callTool([root], "runCommand", { command: `${node} -p 6*7` }), /^42\r?\nexit code 0$/);
});
