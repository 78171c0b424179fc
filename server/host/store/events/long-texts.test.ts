import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import type { TeamRecord } from "../records/team-records.ts";
import { Store } from "../store.ts";
import { sampleTeam } from "../testing/sample-events.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";

const at = "2026-01-01T00:00:00.000Z";
/** Longer than a piece, and with characters of one to four bytes at every place of a piece's end. */
const LONG = "a\0é\u2028漢🙂 __proto__ ".repeat(120_000);

const said = (seq: number, content: string): DurableEvent => ({
  seq,
  at,
  type: "message/added",
  message: { id: `m${seq}`, type: "TextMessage", source: "ann", content, createdAt: at },
});

const executed = (seq: number, output: unknown): DurableEvent => ({
  seq,
  at,
  type: "tool/executed",
  participant: "ann",
  ref: `c${seq}`,
  name: "look",
  output,
  isError: false,
});

/** A store with a team that has these events and a checkpoint. */
async function fill(folder: ScratchFolder, events: readonly DurableEvent[], teamId = "t"): Promise<TeamRecord> {
  using store = new Store(folder.path);
  await store.ready();
  await store.teams.create(teamId, sampleTeam, undefined, at);
  const record = await store.teams.get(teamId);
  assert.ok(record);
  const journal = store.journal(record);
  for (const event of events) journal.append(event);
  await store.settled();
  await store.checkpoint(record.key, (await store.load(record)).state);
  return record;
}

/** Reads or changes the file of a closed store. */
function sql(folder: ScratchFolder, statement: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder.path, "gavel.db"));
  try {
    database.exec("PRAGMA foreign_keys = ON");
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

describe("an event that is longer than a text can be", () => {
  it("is an error in its place on a page, and the events around it are read", async () => {
    // As JSON, each character is six: so the rest of the test has little to read and write.
    const text = "\u0000".repeat(10_000_000);
    const events = [said(1, "before"), executed(2, Array<string>(9).fill(text)), said(3, "after")];
    assert.throws(() => JSON.stringify(events[1]), /Invalid string length/);
    using store = new Store();
    await store.ready();
    await store.teams.create("t", sampleTeam, undefined, at);
    const record = await store.teams.get("t");
    assert.ok(record);
    const journal = store.journal(record);
    for (const event of events) journal.append(event);
    await store.settled();

    const read: DurableEvent[] = [];
    for (let last = 0; last < 3; last = read.at(-1)?.seq ?? 3) {
      const page = await store.events.page(record.key, last, 10);
      assert.doesNotThrow(() => JSON.stringify(page));
      read.push(...page);
    }
    assert.deepEqual([read[0], read[2]], [events[0], events[2]]);
    const [, long] = read;
    assert.ok(long?.type === "error" && long.seq === 2 && long.at === at);
    assert.match(
      long.message,
      /^This event \(number 2, tool\/executed\) is too long to be sent, .* It is stored, and the team goes on with it\.$/,
    );
    assert.equal((await store.events.all(record.key))[1]?.type, "tool/executed");
  });
});

describe("a long text", () => {
  it("is stored apart from its event, once for all that have it, and read as it was", async () => {
    using folder = new ScratchFolder();
    const half = `${"x".repeat(100_000)}\ud83d`;
    const events: readonly DurableEvent[] = [
      said(1, LONG),
      executed(2, { deep: [{ ["__proto__"]: LONG, other: ["", half] }] }),
      executed(3, { $texts: 3, place: "" }),
      said(4, "short"),
      { seq: 5, at, type: "run/started", cause: "run", task: [{ type: "image", uri: `data:${LONG}` }] },
    ];
    const record = await fill(folder, events);
    {
      using store = new Store(folder.path);
      await store.ready();
      assert.deepEqual(await store.events.all(record.key), events);
      assert.deepEqual(await store.events.page(record.key, 0, 1), events.slice(0, 1));
      const { state, checkpoint } = await store.load(record);
      assert.equal(checkpoint, 5);
      assert.ok(state.thread[0]?.content === LONG);
    }
    const [{ texts, longest } = {}] = sql(
      folder,
      `SELECT (SELECT count(DISTINCT hash) FROM texts) AS texts,
              (SELECT max(length(json)) FROM (SELECT json FROM events UNION ALL SELECT json FROM checkpoints)) AS longest`,
    );
    assert.equal(texts, 2);
    // The half of a character is left in its event.
    assert.ok(Number(longest) < 110_000, `${longest}`);
  });

  it("is deleted with the last team that has it", async () => {
    using folder = new ScratchFolder();
    await fill(folder, [said(1, LONG)], "t");
    await fill(folder, [said(1, LONG)], "u");
    const left = (): unknown => sql(folder, "SELECT count(DISTINCT hash) AS n FROM texts")[0]?.["n"];
    sql(folder, "DELETE FROM teams WHERE teamId = 't'");
    assert.equal(left(), 1);
    sql(folder, "DELETE FROM teams WHERE teamId = 'u'");
    assert.equal(left(), 0);
  });

  for (const [how, damage] of [
    [
      "of which a piece has another bit",
      "UPDATE texts SET bytes = CAST(replace(CAST(bytes AS TEXT), 'a', 'b') AS BLOB) WHERE n = 1",
    ],
    ["of which a piece is lost", "DELETE FROM texts WHERE n = 1"],
    ["whose place is lost", "DELETE FROM textUses WHERE seq = 2"],
    ["whose place is damaged", "UPDATE textUses SET place = '[\"type\"]' WHERE seq = 2"],
  ]) {
    it(`${how} costs its event, and no other`, async () => {
      using folder = new ScratchFolder();
      const events = [said(1, "before"), said(2, LONG), said(3, "after")];
      const record = await fill(folder, events);
      sql(folder, damage ?? "");
      const notices: string[] = [];
      using store = new Store(folder.path, { notify: (sentence) => notices.push(sentence) });
      await store.ready();
      const [before, lost, after] = await store.events.all(record.key);
      assert.deepEqual([before, after], [events[0], events[2]]);
      assert.ok(lost?.type === "error" && lost.seq === 2 && lost.message.includes("an event (number 2)"));
      assert.equal(notices.length, 1);
    });
  }

  it("is written into the write-ahead log once, however many events and checkpoints have it", async () => {
    using folder = new ScratchFolder();
    const record = await fill(folder, []);
    using store = new Store(folder.path);
    await store.ready();
    const journal = store.journal(record);
    for (let seq = 1; seq <= 5; seq++) {
      journal.append(said(seq, LONG));
      await store.settled();
      await store.checkpoint(record.key, (await store.load(record)).state);
    }
    const { size } = statSync(join(folder.path, "gavel.db-wal"));
    assert.ok(size < 2 * Buffer.byteLength(LONG), `${size}`);
  });
});

it("the write-ahead log stays below a bound, however much is written without a pause", async () => {
  using folder = new ScratchFolder();
  const record = await fill(folder, []);
  using store = new Store(folder.path);
  await store.ready();
  const journal = store.journal(record);
  const text = "x".repeat(60_000);
  let most = 0;
  for (let seq = 1; seq <= 1_000; seq++) {
    journal.append(said(seq, text));
    if (seq % 50 > 0) continue;
    await store.settled();
    most = Math.max(most, statSync(join(folder.path, "gavel.db-wal")).size);
  }
  assert.ok(most < 24_000_000, `${most} for 60,000,000 characters`);
});
