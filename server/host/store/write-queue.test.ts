import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { TeamJournal } from "./records/team-journal.ts";
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
  const start = async (seq: number): Promise<void> => {
    journal.append({ seq, at, type: "message/started", messageId: `m${seq}`, source: "ann" });
    await setImmediate();
  };
  const say = async (seq: number): Promise<void> => {
    journal.appendTransient({ at, type: "message/chunk", messageId: `m${seq}`, source: "ann", delta: "word" });
    await setImmediate();
  };
  const sizes = () =>
    writer.batches.map((batch) => batch.map((write) => (write.kind === "team" ? write.rows.length : 0)));
  return { journal, start, say, sizes };
}

describe("the queue of writes", () => {
  it("sends events at the end of a turn of the event loop, and collects text for longer", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const { start, say, sizes } = newJournal();
      await start(1);
      await start(2);
      assert.deepEqual(sizes(), [[1], [1]]);
      for (const seq of [1, 2, 1]) await say(seq);
      assert.deepEqual(sizes(), [[1], [1]]);
      mock.timers.tick(5);
      await setImmediate();
      assert.deepEqual(sizes(), [[1], [1], [2]]);
      await say(1);
      await start(3);
      assert.deepEqual(sizes().at(-1), [2]);
    } finally {
      mock.timers.reset();
    }
  });

  it("sends at once what is waited for", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const { journal, say, sizes } = newJournal();
      await say(1);
      assert.deepEqual(sizes(), []);
      await journal.settled();
      assert.deepEqual(sizes(), [[1]]);
    } finally {
      mock.timers.reset();
    }
  });
});
