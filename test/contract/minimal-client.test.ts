import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { it } from "node:test";

const root = join(import.meta.dirname, "../..");

it("the first example of PROTOCOL.md runs a team, interrupts it, and lets it continue", async () => {
  const client = spawn(
    process.execPath,
    [join(root, "docs/examples/minimal-client.mjs"), join(root, "dist/server.js")],
    { stdio: ["ignore", "pipe", "inherit"], timeout: 200_000 },
  );
  const [output, [code]] = await Promise.all([text(client.stdout), once(client, "exit")]);
  assert.equal(code, 0);
  const [interrupted, ann, ...rest] = output.trimEnd().split("\n");
  const [, partial = ""] = /^USER_INTERRUPT, paused: (One two .*)…$/.exec(interrupted ?? "") ?? [];
  const [, remainder = ""] = /^ann: (.*)$/.exec(ann ?? "") ?? [];
  assert.equal(partial + remainder, "One two three four five six seven eight nine ten.");
  assert.deepEqual(rest, ["bob: Thank you, Ann.", "Maximum number of turns 2 reached."]);
});
