import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ServeOptions } from "../../../shared/contract/joining.ts";
import { AgentHost } from "./agent-host.ts";

const HOUR = 3_600_000;

/** Whether a host that has no client and no run for a day ends. */
async function endsIdle(t: TestContext, options: Omit<ServeOptions, "storagePath">): Promise<boolean> {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const storagePath = mkdtempSync(join(tmpdir(), "gavel-foreground-"));
  const host = new AgentHost(undefined);
  const finish = t.mock.method(host, "finish", async () => {});
  await host.serve({ storagePath, ...options }, () => {});
  t.mock.timers.tick(24 * HOUR);
  host[Symbol.dispose]();
  t.mock.timers.reset();
  rmSync(storagePath, { recursive: true });
  return finish.mock.callCount() > 0;
}

test("a host in the foreground does not end because it is idle, unless it is told when", async (t) => {
  assert.equal(await endsIdle(t, {}), true);
  assert.equal(await endsIdle(t, { foreground: true }), false);
  assert.equal(await endsIdle(t, { foreground: true, idleMinutes: 30 }), true);
});
