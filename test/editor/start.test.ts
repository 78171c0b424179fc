import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { root } from "../../scripts/root.ts";

/** Runs `npm start`, which with GAVEL_START_ONCE ends as soon as the editor answers. */
async function start(
  t: TestContext,
  ...folders: readonly string[]
): Promise<{ readonly code: unknown; readonly said: string }> {
  const child = spawn(process.execPath, [join(root, "scripts", "start.ts"), ...folders], {
    env: { ...process.env, GAVEL_START_ONCE: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // SIGTERM: it ends the editor that it started.
  t.after(() => child.kill());
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, said: out + error };
}

test("npm start opens the sample in the first VS Code that works, and says which one and why", async (t) => {
  const { code, said } = await start(t);

  assert.equal(code, 0, said);
  assert.match(said, /^Using .+\.$/m);
  assert.match(said, /^Opened .*media.samples.workspace:$/m);
});

test("npm start says that a folder does not exist, and what to do", async (t) => {
  const { code, said } = await start(t, "no-such-folder");

  assert.equal(code, 1);
  assert.match(said, /no-such-folder does not exist; give npm start -- FOLDER a folder that does\./);
});
