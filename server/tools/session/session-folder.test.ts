import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { folderOf } from "../testing.ts";
import { removeStaleSessions, SessionFolder } from "./session-folder.ts";

const source = (path: string): string => JSON.stringify(join(import.meta.dirname, path));

/** Runs a script in a process of its own, with the folder as its folder for temporary files, until it ends. */
async function runIn(t: TestContext, temp: string, cwd: string, script: string): Promise<NodeJS.Signals | null> {
  const env = { ...process.env, TMPDIR: temp, TEMP: temp, TMP: temp };
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd, env, stdio: "inherit" });
  t.after(() => child.kill("SIGKILL"));
  const [, signal] = (await once(child, "exit")) as [unknown, NodeJS.Signals | null];
  return signal;
}

const END = "process.kill(process.pid, 'SIGKILL'); await new Promise(() => setInterval(() => {}, 1000));";

test("the folder of a session is private, and goes when its process exits", async (t) => {
  const temp = folderOf(t);
  const script = `
    import { SessionFolder } from ${source("session-folder.ts")};
    import { statSync } from "node:fs";
    const session = new SessionFolder();
    session.write("a", "x");
    if (process.platform !== "win32" && (statSync(session.path).mode & 0o777) !== 0o700) process.kill(process.pid, "SIGKILL");
  `;
  assert.equal(await runIn(t, temp, temp, script), null);
  assert.deepEqual(readdirSync(temp), []);
});

test("the folder of a process that was killed is removed by the next, and that of a running one is kept", async (t) => {
  const temp = folderOf(t);
  const script = `import { SessionFolder } from ${source("session-folder.ts")}; new SessionFolder().write("a", "x"); ${END}`;
  await runIn(t, temp, temp, script);
  assert.equal(readdirSync(temp).length, 1);
  const own = new SessionFolder(temp).path;
  mkdirSync(join(temp, "gavel-other-1-abcdef"));
  removeStaleSessions(temp);
  assert.deepEqual(
    readdirSync(temp)
      .map((name) => join(temp, name))
      .sort(),
    [own, join(temp, "gavel-other-1-abcdef")].sort(),
  );
});

test("a temporary file of a process that was killed while it wrote a file is removed by the next", async (t) => {
  const temp = folderOf(t);
  const root = folderOf(t, { "a.txt": "old" });
  const script = `
    import fs from "node:fs/promises";
    import { syncBuiltinESMExports } from "node:module";
    fs.rename = async () => { ${END} };
    syncBuiltinESMExports();
    const { FileEditor } = await import(${source("../edits/file-editor.ts")});
    const planned = { async failed() {}, async appliedAs() {} };
    await new FileEditor({ roots: () => [process.cwd()] }).rewrite("a.txt", () => Buffer.from("new"), async () => planned);
  `;
  await runIn(t, temp, root, script);
  const left = readdirSync(root).filter((name) => name !== "a.txt");
  assert.match(String(left), /^\.gavel-[0-9a-f]{16}\.tmp$/);
  removeStaleSessions(temp);
  assert.deepEqual(readdirSync(root), ["a.txt"]);
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "old");
});

test("only temporary files and empty folders are removed, whatever a note says", async (t) => {
  const temp = folderOf(t);
  const root = folderOf(t, { "a.txt": "kept", "full/b.txt": "kept" });
  mkdirSync(join(root, "empty"));
  const notes = ["a.txt", "full", "empty", "missing"].map(
    (name) => `session.note(${JSON.stringify(join(root, name))});`,
  );
  const script = `import { SessionFolder } from ${source("session-folder.ts")}; const session = new SessionFolder(); ${notes.join("")} ${END}`;
  await runIn(t, temp, root, script);
  writeFileSync(join(temp, "unrelated"), "");
  removeStaleSessions(temp);
  assert.deepEqual(readdirSync(root), ["a.txt", "full"]);
  assert.deepEqual(readdirSync(temp), ["unrelated"]);
  assert.equal(existsSync(join(root, "full/b.txt")), true);
});
