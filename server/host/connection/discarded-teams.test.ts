import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

interface Report {
  readonly answers: Readonly<Record<string, readonly { readonly status?: { readonly code: string } }[]>>;
  /** How many copies of each team are in memory. */
  readonly left: Readonly<Record<string, number>>;
}

test("a team that is deleted or redefined while messages wait leaves memory, and their requests are answered", async () => {
  const script = join(import.meta.dirname, "testing/discard-teams.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script], { timeout: 200_000 });
  const { answers, left }: Report = JSON.parse(stdout);

  assert.deepEqual(left, { deleted: 0, redefined: 0, kept: 1 });
  for (const [team, given] of Object.entries(answers)) {
    assert.deepEqual(
      given.map(({ status }) => status?.code),
      ["interrupted", "interrupted"],
      team,
    );
  }
});
