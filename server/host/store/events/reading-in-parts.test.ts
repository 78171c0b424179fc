import assert from "node:assert/strict";
import { it } from "node:test";
import { MeasuredDatabase } from "../testing/measured-database.ts";
import { sampleRun } from "../testing/sample-events.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { messageEvent, storedTeam } from "../testing/stored-team.ts";
import { EventLog } from "./event-log.ts";
import { HistorySegments } from "./history-segments.ts";

it("a history of any length is read in parts, between which the event loop turns", async () => {
  using folder = new ScratchFolder();
  const long = "word ".repeat(10_000);
  const short = [...sampleRun(300)];
  const events = [...short, ...Array.from({ length: 300 }, (_, nth) => messageEvent(short.length + nth + 1, long))];
  using stored = await storedTeam(folder.path, events);
  const { store, record } = stored;

  const measured = new MeasuredDatabase(folder.path);
  using database = measured.database;
  const log = new EventLog(database);
  const size = JSON.stringify(events).length;
  const assertInParts = (): void => {
    assert.ok(measured.total > size / 2, `${measured.total}`);
    assert.ok(measured.most <= 3_000_000, `${measured.most} of ${measured.total} at once`);
  };

  assert.deepEqual(await measured.during(() => log.all(record.key)), events);
  assertInParts();
  assert.deepEqual(await measured.during(() => log.page(record.key, 0, 10_000)), events);
  assertInParts();
  for (const from of ["the events", "the segments"]) {
    const segments = new HistorySegments(database, log, undefined);
    const seqs = await measured.during(async () => {
      const last: number[] = [];
      for await (const { lastSeq } of segments.history(record.key)) last.push(lastSeq);
      return last;
    });
    assert.equal(seqs.at(-1), events.length, from);
    assertInParts();
    await store.prepareHistory(record.key);
  }
});
