import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it, type TestContext } from "node:test";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import { firstLine } from "../../../shared/contract/message-text.ts";
import { ScriptedModel } from "../../engine/testing/scripted-model.ts";
import { type DatabaseRow, SqliteDatabase } from "../store/database.ts";
import { Store } from "../store/store.ts";
import { sampleTeam } from "../store/testing/sample-events.ts";
import { ScratchFolder } from "../store/testing/scratch-folder.ts";
import { EventPublisher } from "./event-publisher.ts";
import { Sessions } from "./sessions.ts";

const at = "2026-01-01T00:00:00.000Z";
const COUNT = 60;
const MEGABYTE = 1_000_000;
/** Of each of the texts the first characters are its own. */
const text = (nth: number): string => `${nth} `.padEnd(MEGABYTE, "word ");
const numbers = Array.from({ length: COUNT }, (_, before) => before + 1);

const said = (seq: number): DurableEvent => ({
  seq,
  at,
  type: "message/added",
  message: { id: `m${seq}`, type: "TextMessage", source: "ann", content: text(seq), createdAt: at },
});

/** A store with a team of long messages. */
async function fill(folder: ScratchFolder): Promise<void> {
  using store = new Store(folder.path);
  await store.ready();
  await store.teams.create("t", sampleTeam, undefined, at);
  const record = await store.teams.get("t");
  assert.ok(record);
  const journal = store.journal(record);
  for (const seq of numbers) {
    journal.append(said(seq));
    await store.settled();
  }
}

const bytesOf = (value: unknown): number =>
  typeof value === "string" || value instanceof Uint8Array ? value.length : 0;

/** How many bytes are read from the store together, by one query at most, and in one turn of the event loop at most. */
class Reads {
  total = 0;
  query = 0;
  turn = 0;
  #inTurn = 0;
  #isOver = false;

  constructor({ mock }: TestContext) {
    const { getNow, all } = SqliteDatabase.prototype;
    const count = (rows: readonly DatabaseRow[]): void => this.#count(rows);
    mock.method(
      SqliteDatabase.prototype,
      "getNow",
      function (this: SqliteDatabase, ...query: Parameters<typeof getNow>) {
        const row = getNow.apply(this, query);
        if (row !== undefined) count([row]);
        return row;
      },
    );
    mock.method(
      SqliteDatabase.prototype,
      "all",
      async function (this: SqliteDatabase, ...query: Parameters<typeof all>) {
        const rows = await all.apply(this, query);
        count(rows);
        return rows;
      },
    );
  }

  /** Does the work, and counts what it reads. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    [this.total, this.query, this.turn, this.#isOver] = [0, 0, 0, false];
    const counting = this.#countTurns();
    try {
      return await work();
    } finally {
      this.#isOver = true;
      await counting;
    }
  }

  async #countTurns(): Promise<void> {
    while (!this.#isOver) {
      this.#inTurn = 0;
      await turnOfEventLoop();
      this.turn = Math.max(this.turn, this.#inTurn);
    }
  }

  #count(rows: readonly DatabaseRow[]): void {
    const bytes = rows.flatMap((row) => Object.values(row)).reduce<number>((sum, value) => sum + bytesOf(value), 0);
    this.total += bytes;
    this.query = Math.max(this.query, bytes);
    this.#inTurn += bytes;
  }
}

it("a team of sixty texts of a megabyte is copied and saved with one of them read at a time, and no text stored twice", async (context) => {
  using folder = new ScratchFolder();
  await fill(folder);
  const reads = new Reads(context);
  {
    using store = new Store(folder.path);
    const line = (): void => {};
    const sessions = new Sessions({
      store,
      publisher: new EventPublisher(),
      parts: () => ({ model: () => new ScriptedModel(), tool: () => undefined }),
      user: () => "user",
      connected: () => undefined,
      log: { error: line, warn: line, info: line, debug: line },
      runEnded: () => {},
      endCommands: async () => {},
      discarded: () => {},
    });
    const assertInParts = (times: number): void => {
      assert.ok(reads.query <= 1.1 * MEGABYTE, `one query reads ${reads.query}`);
      // What is prepared for the next start is read beside it.
      assert.ok(reads.turn <= 3.3 * MEGABYTE, `one turn of the event loop reads ${reads.turn}`);
      assert.ok(reads.total <= times * COUNT * MEGABYTE * 1.1, `${reads.total} are read`);
    };
    const copy = await reads.during(() => sessions.fork("t", "copy"));
    assert.equal(copy.threadLength, COUNT);
    assert.deepEqual(
      copy.thread.map(({ content }) => content),
      numbers.slice(COUNT - copy.thread.length).map(text),
    );
    assert.ok(copy.thread.length * MEGABYTE <= 32 * MEGABYTE, `${copy.thread.length} messages are in memory`);
    // Opened, prepared for the next start, and saved.
    assertInParts(4);
    const session = await sessions.get("copy");
    const saved = await reads.during(() => session.save());
    const contents = saved.transcript.flatMap((entry) => (entry.kind === "message" ? [entry.message.content] : []));
    assert.deepEqual(contents, numbers.map(text));
    assertInParts(2);
    await store.settled();
  }
  using database = new DatabaseSync(join(folder.path, "gavel.db"));
  const { texts } = database.prepare("SELECT count(DISTINCT hash) AS texts FROM texts").get() ?? {};
  assert.equal(texts, COUNT);
});

it("a team of sixty texts of a megabyte is opened without a checkpoint with the texts of its last messages alone", async (context) => {
  using folder = new ScratchFolder();
  await fill(folder);
  using store = new Store(folder.path);
  await store.ready();
  const record = await store.teams.get("t");
  assert.ok(record);
  const reads = new Reads(context);
  const { state, checkpoint } = await reads.during(() => store.load(record));
  assert.deepEqual(
    [checkpoint, state.threadLength, state.participants[0]?.lastLine],
    [0, COUNT, firstLine(text(COUNT))],
  );
  assert.deepEqual(
    state.thread.map(({ content }) => content),
    numbers.slice(COUNT - 32).map(text),
  );
  // The one that is too much is read too.
  assert.ok(reads.total <= 33 * MEGABYTE * 1.01, `${reads.total} are read`);
  assert.ok(reads.turn <= 2.2 * MEGABYTE, `one turn of the event loop reads ${reads.turn}`);
});
