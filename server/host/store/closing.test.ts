import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { messageOf } from "../../../shared/contract/errors.ts";
import { Store } from "./store.ts";
import { sampleRun } from "./testing/sample-events.ts";
import { ScratchFolder } from "./testing/scratch-folder.ts";
import { storedTeam } from "./testing/stored-team.ts";

const at = "2026-01-01T00:00:00.000Z";

/** How many threads have started since. */
function countThreads(t: TestContext): () => number {
  let count = 0;
  const started = (): void => void count++;
  process.on("worker", started);
  t.after(() => process.off("worker", started));
  return () => count;
}

describe("a store that is closed", () => {
  for (const [when, wait] of [
    ["before a release of a team is sent to its thread", () => {}],
    ["while a release of a team is being written", () => setImmediate()],
  ] as const) {
    it(`${when} settles it, gives the team up, and starts no thread for what comes later`, async (t) => {
      using folder = new ScratchFolder();
      const { store, record } = await storedTeam(folder.path, [...sampleRun(1)]);
      assert.equal(await store.locks.take(record.key), true);
      const threads = countThreads(t);
      const released = store.locks.release(record.key).catch(messageOf);
      await wait();
      store[Symbol.dispose]();
      await released;

      const journal = store.journal(record);
      journal.append({ seq: 99, at, type: "message/started", messageId: "late", source: "ann" });
      await journal.settled();
      await assert.rejects(store.approvals.remove("r"), /The store was closed; start the agent host and try again\./);
      assert.equal(threads(), 0);

      using next = new Store(folder.path);
      await next.ready();
      assert.equal(await next.locks.take(record.key), true);
      assert.ok((await next.events.all(record.key)).every(({ seq }) => seq !== 99));
    });
  }
});

it("a store that is open does not keep its process alive", async (t) => {
  using folder = new ScratchFolder();
  const script = join(import.meta.dirname, "testing/open-a-store.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder.path], { signal: t.signal });
  assert.equal(stdout, "ready\n");
});
