import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { describe, it } from "node:test";
import type { Worker } from "node:worker_threads";
import type { Usage } from "../../../../shared/contract/message.ts";
import { Store } from "../store.ts";
import { sampleRun, sampleTeam } from "../testing/sample-events.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { repairStore } from "./repair-store.ts";
import { salvage } from "./salvage.ts";

const at = "2026-01-01T00:00:00.000Z";
const PAGE = 4096;
/** What version 0.3.0 stored. */
const older = join(import.meta.dirname, "../../../../test/fixtures/stored/0.3.0/gavel.sql");

const pathIn = (folder: ScratchFolder): string => join(folder.path, "gavel.db");

/** What a team has used; each has used another amount. */
const usageOf = (teamId: string): Usage => ({ prompt: 1_000 + teamId.charCodeAt(0), completion: 1, total: 2_000 });

/** A store with three teams, with what they have used, rules and edits. */
async function fill(folder: ScratchFolder): Promise<void> {
  using store = new Store(folder.path);
  for (const teamId of ["one", "two", "three"]) {
    await store.teams.create(teamId, { ...sampleTeam, name: teamId }, undefined, at);
    const record = await store.teams.get(teamId);
    assert.ok(record);
    const journal = store.journal(record);
    for (const event of sampleRun(20)) journal.append(event);
    await store.settled();
    const { state } = await store.load(record);
    await store.checkpoint(record.key, state);
    await store.teams.summarize(record.key, { ...state, usage: usageOf(teamId) }, at);
    await store.edits.add(
      record.key,
      { turnId: "t" },
      { path: "/w/a", shown: "a", before: Buffer.from("x"), after: null },
    );
  }
  await store.approvals.add({ id: "r", decision: "deny", tool: "look", scope: "workspace" } as never);
}

/** Every row of every table. */
function rowsOf(path: string): Readonly<Record<string, readonly Readonly<Record<string, SQLOutputValue>>[]>> {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all()
    .map(({ name }) => String(name));
  const rows = tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]);
  database.close();
  return Object.fromEntries(rows);
}

/** The pages that hold rows of a table. */
function pagesOf(path: string, table: string): readonly number[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'").all(table);
  database.close();
  return rows.map(({ pageno }) => Number(pageno));
}

/** Overwrites a page with rubbish. */
function spoil(path: string, page: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, (page - 1) * PAGE, page * PAGE);
  writeFileSync(path, bytes);
}

/** What the user is told when the store is opened, and each team's events. */
async function open(folder: ScratchFolder) {
  const told: string[] = [];
  using store = new Store(folder.path, { notify: (sentence) => told.push(sentence) });
  await store.ready();
  const list = await store.teams.list();
  const teams = await Promise.all(
    list.map(async ({ teamId }) => {
      const record = await store.teams.get(teamId);
      assert.ok(record);
      return [teamId, await store.events.all(record.key)] as const;
    }),
  );
  const usages = Object.fromEntries(list.map(({ teamId, usage }) => [teamId, usage]));
  return { told, events: Object.fromEntries(teams), usages, rules: (await store.approvals.all()).rules.length };
}

describe("a damaged store", () => {
  it("is set aside as it was, and a new one has every event that is not on the damaged page, with a note of the lost ones", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    const whole = await open(folder);
    assert.deepEqual(whole.told, []);
    const [page] = pagesOf(pathIn(folder), "events").slice(3);
    assert.ok(page);
    spoil(pathIn(folder), page);
    const damaged = readFileSync(pathIn(folder));

    const { told, events } = await open(folder);

    assert.equal(told.length, 1);
    assert.match(
      told[0] ?? "",
      /gavel\.db was damaged \(.*\) and is kept as gavel\.db\.damaged-1; a new store has .*: 3 teams; "/,
    );
    assert.deepEqual(readFileSync(`${pathIn(folder)}.damaged-1`), damaged);
    let lost = 0;
    for (const [teamId, all] of Object.entries(whole.events)) {
      const kept = new Map(events[teamId]?.map((event) => [event.seq, event]));
      for (const event of all) {
        if (kept.get(event.seq)?.type === "error" || !kept.has(event.seq)) lost++;
        else assert.deepEqual(kept.get(event.seq), event);
      }
    }
    const notes = Object.values(events).flatMap((all) =>
      all.flatMap((event) => (event.type === "error" ? [event.message] : [])),
    );
    assert.ok(lost > 0 && lost < 40, `${lost} events are lost`);
    assert.match(notes[0] ?? "", /^The events \d+ to \d+ of this team are lost: the store was damaged\.$/);
    assert.deepEqual((await open(folder)).told, [], "it is told once");
  });

  it("keeps long texts, which are stored apart from their events", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    {
      using store = new Store(folder.path);
      await store.teams.create("long", sampleTeam, undefined, at);
      const record = await store.teams.get("long");
      assert.ok(record);
      const message = { id: "m", type: "TextMessage" as const, source: "ann", createdAt: at };
      const journal = store.journal(record);
      for (const [nth, word] of ["one ", "two "].entries())
        journal.append({
          seq: nth + 1,
          at,
          type: "message/added",
          message: { ...message, content: word.repeat(500_000) },
        });
    }
    const whole = await open(folder);
    const [page] = pagesOf(pathIn(folder), "events");
    assert.ok(page);
    spoil(pathIn(folder), page);

    const { told, events } = await open(folder);

    assert.equal(told.length, 1);
    assert.notDeepEqual(events, whole.events);
    assert.ok(JSON.stringify(events["long"]) === JSON.stringify(whole.events["long"]));
  });

  it("keeps what each team has used", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    const [page] = pagesOf(pathIn(folder), "events").slice(3);
    assert.ok(page);
    spoil(pathIn(folder), page);

    const { told, usages } = await open(folder);

    assert.match(told.join(), /was damaged/);
    assert.deepEqual(usages, { one: usageOf("one"), two: usageOf("two"), three: usageOf("three") });
  });

  it("says so where what teams have used is lost, and lists the teams without it", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    const [page] = pagesOf(pathIn(folder), "usages");
    assert.ok(page);
    spoil(pathIn(folder), page);

    const { told, usages } = await open(folder);

    assert.match(told.join(), /: 3 teams; .*some of these may be lost: what teams have used\.$/);
    assert.deepEqual(usages, { one: undefined, two: undefined, three: undefined });
  });

  it("does not give what a lost team had used to another one", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    const database = new DatabaseSync(pathIn(folder));
    database.exec("PRAGMA foreign_keys = OFF; DELETE FROM teams WHERE teamId = 'two'");
    database.close();
    salvage(pathIn(folder), join(folder.path, "new.db"));
    const { teams, usages } = rowsOf(join(folder.path, "new.db"));
    assert.deepEqual(
      usages?.map(({ team }) => team),
      teams?.map(({ id }) => id),
    );
  });

  for (const table of ["teams", "sqlite_schema", "approvals"]) {
    it(`keeps the events when a page of ${table} is lost`, async () => {
      using folder = new ScratchFolder();
      await fill(folder);
      const whole = await open(folder);
      const [page] = pagesOf(pathIn(folder), table);
      assert.ok(page);
      // Only the middle of the page: its head still leads to the others.
      const bytes = readFileSync(pathIn(folder));
      const from = (page - 1) * PAGE + (page === 1 ? 100 : 0);
      bytes.writeUInt8(0x77, from);
      writeFileSync(pathIn(folder), bytes);

      const { told, events } = await open(folder);

      assert.equal(told.length, 1);
      if (table !== "teams") assert.deepEqual(events, whole.events);
    });
  }

  it("of an older version keeps its other teams, and is migrated", async () => {
    using folder = new ScratchFolder();
    const database = new DatabaseSync(pathIn(folder));
    database.exec(readFileSync(older, "utf8"));
    database.close();
    using copy = new ScratchFolder();
    copyFileSync(pathIn(folder), pathIn(copy));
    const whole = await open(copy);
    const [page] = pagesOf(pathIn(folder), "events").slice(2);
    assert.ok(page);
    spoil(pathIn(folder), page);

    const { told, events, rules } = await open(folder);

    assert.match(told[0] ?? "", /was damaged/);
    const complete = Object.keys(whole.events).filter((teamId) =>
      events[teamId]?.every(({ type }) => type !== "error"),
    );
    assert.deepEqual(Object.keys(events).sort(), Object.keys(whole.events).sort());
    assert.ok(complete.length >= 8, `${complete.length} teams are complete`);
    assert.equal(rules, whole.rules);
  });

  it("is not repaired while another host uses it", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    using other = new Store(folder.path);
    assert.equal((await other.teams.list()).length, 3);
    const [page] = pagesOf(pathIn(folder), "edits");
    assert.ok(page);
    using store = new Store(folder.path);
    assert.equal((await store.teams.list()).length, 3);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.includes("damaged")),
      [],
    );
  });

  it("is not repaired while its own host uses it, whose thread has ended", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    const [page] = pagesOf(pathIn(folder), "edits");
    assert.ok(page);
    const thread = new Promise<Worker>((resolve) => process.once("worker", resolve));
    using store = new Store(folder.path);
    await store.ready();
    assert.equal((await store.teams.list()).length, 3);
    await (await thread).terminate();
    spoil(pathIn(folder), page);

    assert.equal(await store.approvals.remove("r"), true);
    assert.deepEqual((await store.approvals.all()).rules, []);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.includes("damaged")),
      [],
    );
  });

  it("whose repair was cut short is repaired by the next host", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    const before = rowsOf(pathIn(folder));
    renameSync(pathIn(folder), `${pathIn(folder)}-salvaged`);
    assert.deepEqual((await open(folder)).told, []);
    assert.deepEqual(rowsOf(pathIn(folder)), before);
  });

  it("that is cut to nothing is told, if it has been used", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    truncateSync(pathIn(folder), 0);
    writeFileSync(`${pathIn(folder)}-wal`, "x");
    const { told, events } = await open(folder);
    assert.match(told[0] ?? "", /was damaged \(the file is empty or missing\)/);
    assert.deepEqual(events, {});
  });
});

it("a whole store is not changed", async () => {
  using folder = new ScratchFolder();
  await fill(folder);
  const before = readFileSync(pathIn(folder));
  assert.equal(repairStore(folder.path), undefined);
  assert.deepEqual(readFileSync(pathIn(folder)), before);
  assert.ok(!existsSync(`${pathIn(folder)}-wal`));
});

it("what can be salvaged of a whole store is all of it", async () => {
  using folder = new ScratchFolder();
  await fill(folder);
  const { teams, others, isWhole } = salvage(pathIn(folder), join(folder.path, "new.db"));
  assert.deepEqual(
    teams.map(({ name, lost }) => [name, lost]),
    [
      ["one", 0],
      ["two", 0],
      ["three", 0],
    ],
  );
  assert.deepEqual([others, isWhole], [[], true]);
  assert.deepEqual(rowsOf(join(folder.path, "new.db")), rowsOf(pathIn(folder)));
});
