import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import { Database, type DatabaseRow } from "../database.ts";
import { Store } from "../store.ts";
import { sampleRun, sampleTeam } from "../testing/sample-events.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { EventLog } from "./event-log.ts";
import { HistorySegments } from "./history-segments.ts";

const at = "2026-01-01T00:00:00.000Z";

/** How many bytes of texts are read from a database, and how many of them in one turn of the event loop at most. */
class Measured {
  readonly database: Database;
  total = 0;
  most = 0;
  #inTurn = 0;

  constructor(folder: string) {
    const database = Database.inFolder(folder);
    const all = database.all.bind(database);
    const get = database.get.bind(database);
    database.all = (...query) => this.#counted(all(...query));
    database.get = (...query) => {
      const row = get(...query);
      return row === undefined ? undefined : this.#counted([row])[0];
    };
    this.database = database;
  }

  /** Reads, and counts. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    [this.total, this.most] = [0, 0];
    const turns = new AbortController();
    const counting = this.#countTurns(turns.signal);
    try {
      return await work();
    } finally {
      turns.abort();
      await counting;
    }
  }

  async #countTurns(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#inTurn = 0;
      await turnOfEventLoop();
      this.most = Math.max(this.most, this.#inTurn);
    }
  }

  #counted<R extends DatabaseRow>(rows: readonly R[]): readonly R[] {
    const texts = rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === "string");
    const read = texts.reduce((sum, { length }) => sum + length, 0);
    this.#inTurn += read;
    this.total += read;
    return rows;
  }
}

it("a history of any length is read in parts, between which the event loop turns", async () => {
  using folder = new ScratchFolder();
  const long = "word ".repeat(10_000);
  const added = (seq: number): DurableEvent => ({
    seq,
    at,
    type: "message/added",
    message: { id: `m${seq}`, type: "TextMessage", source: "ann", content: long, createdAt: at },
  });
  const short = [...sampleRun(300)];
  const events = [...short, ...Array.from({ length: 300 }, (_, nth) => added(short.length + nth + 1))];
  using store = new Store(folder.path);
  await store.ready();
  await store.teams.create("t", sampleTeam, undefined, at);
  const record = await store.teams.get("t");
  assert.ok(record);
  const journal = store.journal(record);
  for (const event of events) journal.append(event);
  await store.settled();

  const measured = new Measured(folder.path);
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
