import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { SqliteDatabase } from "../database.ts";
import { Store } from "../store.ts";
import { sampleTeam } from "../testing/sample-events.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { WriteQueue } from "../write-queue.ts";
import { DirectWriter } from "../writing/direct-writer.ts";
import { WriteConnection } from "../writing/write-connection.ts";
import { EditJournal, hashOf } from "./edit-journal.ts";

const at = "2026-01-01T00:00:00.000Z";
/** What version 0.1.0 stored. */
const firstVersion = join(import.meta.dirname, "../../../../test/fixtures/stored/0.1.0/gavel.sql");

async function newTeam(store: Store, teamId = "t"): Promise<number> {
  await store.teams.create(teamId, sampleTeam, undefined, at);
  return (await store.teams.key(teamId)) ?? 0;
}

function edit(path: string, before: string | null, after: string | null) {
  return { path: `/w/${path}`, shown: path, before: bytesOf(before), after: bytesOf(after) };
}

const bytesOf = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
const hash = (text: string): string | null => hashOf(Buffer.from(text));
const source = (turnId: string) => ({ turnId, participant: "ann", ref: "r" });

/** How many bytes of contents a store's file has. */
function kept(folder: string): unknown {
  const database = new DatabaseSync(join(folder, "gavel.db"));
  const row = database.prepare("SELECT count(*) AS n, coalesce(sum(length(bytes)), 0) AS size FROM contents").get();
  database.close();
  return { ...row };
}

describe("the edit journal", () => {
  it("has each file of a turn once, from before its first edit to after its last, across a restart", async () => {
    using folder = new ScratchFolder();
    {
      using store = new Store(folder.path);
      await store.ready();
      const key = await newTeam(store);
      await store.edits.add(key, source("one"), edit("a", "a1", "a2"));
      await store.edits.add(key, source("one"), edit("b", null, "b1"));
      await store.edits.add(key, source("one"), edit("a", "a2", "a3"));
    }
    using store = new Store(folder.path);
    await store.ready();
    const [turn, ...others] = await store.edits.turns((await store.teams.key("t")) ?? 0);
    assert.deepEqual([turn?.turnId, turn?.participant, turn?.undoes, others], ["one", "ann", undefined, []]);
    assert.deepEqual(
      turn?.files.map(({ edits, ...file }) => file),
      [
        { path: "/w/a", shown: "a", before: hash("a1"), after: hash("a3"), refs: ["r", "r"], isBroken: false },
        { path: "/w/b", shown: "b", before: null, after: hash("b1"), refs: ["r"], isBroken: false },
      ],
    );
    for (const kept of ["a1", "a2", "a3", "b1"])
      assert.equal((await store.edits.content(hash(kept) ?? ""))?.toString(), kept);
  });

  it("lists the turn with the last edit first", async () => {
    using store = new Store();
    const key = await newTeam(store);
    for (const turn of ["one", "two", "one"]) await store.edits.add(key, source(turn), edit(turn, "x", "y"));
    assert.deepEqual(
      (await store.edits.turns(key)).map(({ turnId }) => turnId),
      ["one", "two"],
    );
  });

  it("marks a file that was changed from outside between two edits of a turn", async () => {
    using store = new Store();
    const key = await newTeam(store);
    await store.edits.add(key, source("one"), edit("a", "a1", "a2"));
    await store.edits.add(key, source("one"), edit("a", "user's", "a3"));
    assert.equal((await store.edits.turns(key))[0]?.files[0]?.isBroken, true);
  });

  it("has an edit with its actual result, and none that was not made", async () => {
    using folder = new ScratchFolder();
    using store = new Store(folder.path);
    await store.ready();
    const key = await newTeam(store);
    const formatted = await store.edits.add(key, source("one"), edit("a", "a1", "a2"));
    await formatted.appliedAs(Buffer.from("formatted"));
    const failed = await store.edits.add(key, source("two"), edit("b", "b1", "b2"));
    await failed.failed();
    const turns = await store.edits.turns(key);
    assert.deepEqual([turns.length, turns[0]?.files[0]?.after], [1, hash("formatted")]);
    assert.deepEqual(kept(folder.path), { n: 2, size: 11 });
  });

  it("stores each content once, and deletes it with the last edit that needs it", async () => {
    using folder = new ScratchFolder();
    using store = new Store(folder.path);
    await store.ready();
    const [one, two] = [await newTeam(store, "t1"), await newTeam(store, "t2")];
    for (const key of [one, one, two]) await store.edits.add(key, source("one"), edit("a", "same", "x"));
    assert.deepEqual(kept(folder.path), { n: 2, size: 5 });
    await store.teams.delete(one);
    assert.deepEqual(kept(folder.path), { n: 2, size: 5 });
    await store.teams.delete(two);
    assert.deepEqual(kept(folder.path), { n: 0, size: 0 });
  });

  it("drops the turns with the oldest edits beyond its limit, but never the current one", async () => {
    using folder = new ScratchFolder();
    using store = new Store(folder.path);
    await store.ready();
    const key = await newTeam(store);
    using connection = new WriteConnection(folder.path);
    using database = SqliteDatabase.inFolder(folder.path);
    const journal = new EditJournal(database, new WriteQueue(new DirectWriter(connection)), 11);
    const names = async () => (await journal.turns(key)).map(({ turnId }) => turnId);
    await journal.add(key, source("one"), edit("a", "1111", "x"));
    await journal.add(key, source("two"), edit("b", "2222", "x"));
    await journal.add(key, source("one"), edit("c", null, "x"));
    await journal.add(key, source("three"), edit("d", "3333", "x"));
    assert.deepEqual(await names(), ["three", "one"]);
    await journal.add(key, source("four"), edit("e", "4".repeat(50), "x"));
    assert.deepEqual(await names(), ["four"]);
    assert.deepEqual(kept(folder.path), { n: 2, size: 51 });
  });

  it("keeps the contents of a part that the user keeps, as long as the team needs them", async () => {
    using folder = new ScratchFolder();
    using store = new Store(folder.path);
    await store.ready();
    const key = await newTeam(store);
    const part = (base: string, seen: string) => ({ base: Buffer.from(base), seen: Buffer.from(seen) });
    await store.edits.add(key, source("one"), edit("a", "a1", "a2"));
    await store.kept.keep(key, "/w/a", 1, part("base", "a2"));
    assert.deepEqual(kept(folder.path), { n: 3, size: 8 });
    await store.kept.keep(key, "/w/a", 1, part("other base", "a2"));
    assert.deepEqual(
      [...(await store.kept.all(key)).values()],
      [{ upTo: 1, base: hash("other base"), seen: hash("a2") }],
    );
    assert.deepEqual(kept(folder.path), { n: 3, size: 14 });
    await store.kept.keep(key, "/w/a", 1);
    assert.deepEqual([...(await store.kept.all(key)).values()], [{ upTo: 1, base: null, seen: null }]);
    assert.deepEqual(kept(folder.path), { n: 2, size: 4 });
    await store.teams.delete(key);
    assert.deepEqual(kept(folder.path), { n: 0, size: 0 });
  });

  it("is added to a store of the first version, whose teams are kept", async () => {
    using folder = new ScratchFolder();
    const database = new DatabaseSync(join(folder.path, "gavel.db"));
    database.exec(readFileSync(firstVersion, "utf8"));
    database.close();
    using store = new Store(folder.path);
    await store.ready();
    const key = (await store.teams.key("finished")) ?? 0;
    await store.edits.add(key, source("one"), edit("a", "a1", "a2"));
    assert.equal((await store.edits.turns(key)).length, 1);
  });
});
