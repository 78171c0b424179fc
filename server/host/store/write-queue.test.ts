import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { TeamJournal } from "./team-journal.ts";
import type { Outcome, Write, Writer } from "./write.ts";
import { WriteQueue } from "./write-queue.ts";

const at = "2026-01-01T00:00:00.000Z";

/** Keeps the batches that it is given. */
class RecordingWriter implements Writer {
  readonly batches: (readonly Write[])[] = [];

  execute(batch: readonly Write[]): Promise<readonly Outcome[]> {
    this.batches.push(batch);
    return Promise.resolve(batch.map(() => ({ value: null })));
  }

  finish(): void {}
}

function newJournal() {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const claims = { claim: () => "no" as const, claimed: () => {}, changed: () => {} };
  const journal = new TeamJournal({ queue, teamId: "t", key: 1, ...claims });
  const add = async (seq: number): Promise<void> => {
    journal.append({ seq, at, type: "message/started", messageId: `m${seq}`, source: "ann" });
    journal.appendTransient({ at, type: "message/chunk", messageId: `m${seq}`, source: "ann", delta: "word" });
    await setImmediate();
  };
  const sizes = () =>
    writer.batches.map((batch) => batch.map((write) => (write.kind === "team" ? write.rows.length : 0)));
  return { journal, add, sizes };
}

describe("the queue of writes", () => {
  it("collects events that are not waited for, over several turns of the event loop", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const { add, sizes } = newJournal();
      await add(1);
      await add(2);
      assert.deepEqual(sizes(), []);
      mock.timers.tick(5);
      await setImmediate();
      await add(3);
      assert.deepEqual(sizes(), [[4]]);
    } finally {
      mock.timers.reset();
    }
  });

  it("sends at once what is waited for, and what an interrupt tells", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const { journal, add, sizes } = newJournal();
      await add(1);
      await journal.durable(1);
      await add(2);
      await journal.settled();
      await add(3);
      journal.append({ seq: 4, at, type: "interrupt/acknowledged", interruptId: "i" });
      await setImmediate();
      assert.deepEqual(sizes(), [[2], [2], [3]]);
    } finally {
      mock.timers.reset();
    }
  });
});
