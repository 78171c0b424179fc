import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ServeOptions } from "../../../shared/contract/joining.ts";
import { AgentHost } from "./agent-host.ts";

const HOUR = 3_600_000;

/** How often a host ends that is idle for a day. */
async function endsOf(t: TestContext, options: Omit<ServeOptions, "storagePath">): Promise<number> {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const storagePath = mkdtempSync(join(tmpdir(), "gavel-foreground-"));
  const host = new AgentHost(undefined);
  const ended = Promise.withResolvers<void>();
  let ends = 0;
  await host.serve({ storagePath, ...options }, () => {
    ends++;
    ended.resolve();
  });
  t.mock.timers.tick(24 * HOUR);
  await Promise.race([ended.promise, new Promise((resolve) => setImmediate(resolve))]);
  host[Symbol.dispose]();
  t.mock.timers.reset();
  rmSync(storagePath, { recursive: true });
  return ends;
}

test("a host in the foreground does not end because it is idle, unless it is told when", async (t) => {
  assert.equal(await endsOf(t, {}), 1);
  assert.equal(await endsOf(t, { foreground: true }), 0);
  assert.equal(await endsOf(t, { foreground: true, idleMinutes: 30 }), 1);
});
