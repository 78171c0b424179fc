import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { Store } from "./store.ts";
import { sampleRun, sampleTeam } from "./testing/sample-events.ts";
import { ScratchFolder } from "./testing/scratch-folder.ts";

const at = "2026-01-01T00:00:00.000Z";

/** A stored team, defined again, with a run, a text in progress, a checkpoint and a rule. */
async function fill(folder: ScratchFolder): Promise<void> {
  using store = new Store(folder.path);
  await store.teams.create("t", sampleTeam, undefined, at);
  const record = await store.teams.get("t");
  assert.ok(record);
  await store.teams.redefine(record.key, sampleTeam, undefined, at);
  const journal = store.journal(record);
  for (const event of sampleRun(2)) journal.append(event);
  await store.settled();
  await store.teams.summarize(record.key, (await store.load(record)).state, at);
  await store.checkpoint(record.key, (await store.load(record)).state);
  journal.append({ seq: 23, at, type: "message/started", messageId: "m", source: "ann" });
  for (const delta of ["one ", "two\0 \ud800 😀", ""]) {
    journal.appendTransient({ at, type: "message/chunk", messageId: "m", source: "ann", delta });
    await store.settled();
  }
  await store.approvals.add({ id: "r", decision: "allow", tool: "look", scope: "workspace" } as never);
}

/** What a host reads of it, and what it tells the user. */
async function read(folder: ScratchFolder) {
  const notices: string[] = [];
  using store = new Store(folder.path, { notify: (sentence) => notices.push(sentence) });
  await store.ready();
  const teams = await store.teams.list();
  const record = await store.teams.get("t");
  assert.ok(record);
  const { state, checkpoint } = await store.load(record);
  const events = await store.events.all(record.key);
  const { rules, damage } = await store.approvals.all();
  return {
    teams,
    record,
    state,
    checkpoint,
    events,
    rules,
    notices: [...notices, ...(damage === undefined ? [] : [damage])],
  };
}

describe("a text that the disk changed", () => {
  const changes: readonly (readonly [what: string, table: string, column: string, from: string, to: string])[] = [
    ["an event", "events", "json", "Turn 1.", "Turn 9."],
    ["a text in progress", "chunks", "delta", "one", "own"],
    ["a definition", "teams", "definition", '"Talk"', '"Tall"'],
    ["the name of a team's file", "teams", "createdAt", "2026", "2027"],
    ["an entry of the list", "summaries", "lastLine", "Turn 1.", "Turn 9."],
    ["what a team has used", "usages", "json", "0", "9"],
    ["a rule", "approvals", "json", '"look"', '"lock"'],
  ];
  for (const [what, table, column, from, to] of changes) {
    it(`is noticed: ${what}`, async () => {
      using folder = new ScratchFolder();
      await fill(folder);
      assert.deepEqual((await read(folder)).notices, []);
      const database = new DatabaseSync(join(folder.path, "gavel.db"));
      const changed = database.prepare(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`).run(from, to);
      database.close();
      assert.ok(changed.changes > 0);
      assert.equal((await read(folder)).notices.length, 1);
    });
  }

  it("is harmless in a checkpoint, which is not used then", async () => {
    using folder = new ScratchFolder();
    await fill(folder);
    const before = await read(folder);
    assert.equal(before.checkpoint, 22);
    const database = new DatabaseSync(join(folder.path, "gavel.db"));
    database.exec("UPDATE checkpoints SET json = replace(json, 'Turn 1.', 'Turn 9.')");
    database.close();
    assert.deepEqual(await read(folder), { ...before, checkpoint: 0 });
  });
});
