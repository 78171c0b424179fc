import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import type { Worker } from "node:worker_threads";
import { GavelError } from "../../../shared/contract/errors.ts";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, NO_USAGE, type TeamState } from "../../../shared/state/team-state.ts";
import type { TeamRecord } from "./records/team-records.ts";
import { Store } from "./store.ts";
import { sampleRun, sampleTeam } from "./testing/sample-events.ts";
import { ScratchFolder } from "./testing/scratch-folder.ts";

const at = "2026-01-01T00:00:00.000Z";

async function newTeam(store: Store, teamId = "t"): Promise<TeamRecord> {
  await store.teams.create(teamId, sampleTeam, undefined, at);
  const record = await store.teams.get(teamId);
  if (record === undefined) throw new Error("The team was not made.");
  return record;
}

async function fold(record: TeamRecord, store: Store): Promise<TeamState> {
  let state = initialTeamState(record.teamId, record.definition, record.uri);
  for (const event of await store.events.all(record.key)) state = reduceTeam(state, event);
  return state;
}

async function storageFailure(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof GavelError);
    assert.equal(error.data.code, "StorageError");
    return error.message;
  }
  throw new Error("It worked, and should have failed.");
}

describe("the store", () => {
  it("stores events in order, and returns them by pages and all at once", async () => {
    using store = new Store();
    const record = await newTeam(store);
    const events = [...sampleRun(300)];
    const journal = store.journal(record);
    for (const event of events) journal.append(event);
    await store.settled();
    assert.deepEqual(await store.events.all(record.key), events);
    assert.deepEqual(await store.events.page(record.key, 10, 3), events.slice(10, 13));
    const types = ["speaker/selected", "reasoning/conclusion"];
    const wanted = events.filter(({ seq, type }) => seq > 10 && types.includes(type));
    assert.deepEqual(await store.events.page(record.key, 10, 5, types), wanted.slice(0, 5));
    assert.deepEqual(await store.events.page(record.key, 10, 5, ["no/such"]), []);
    assert.equal(await store.events.lastSeq(record.key), events.length);
  });

  it("loads from a checkpoint exactly the fold of all events", async () => {
    using store = new Store();
    const record = await newTeam(store);
    const journal = store.journal(record);
    const events = [...sampleRun(150)];
    for (const event of events.slice(0, 700)) journal.append(event);
    await store.settled();
    await store.checkpoint(record.key, (await store.load(record)).state);
    for (const event of events.slice(700)) journal.append(event);
    await store.settled();
    const { state, checkpoint } = await store.load(record);
    assert.equal(checkpoint, 700);
    assert.deepEqual(state, await fold(record, store));
  });

  it("keeps in a checkpoint who handed over, that the conversation is complete, and which answer is due", async () => {
    using store = new Store();
    const record = await newTeam(store);
    const journal = store.journal(record);
    const status = { code: "success" as const };
    journal.append({ seq: 1, at, type: "run/started", runId: "r", cause: "run" });
    journal.append({ seq: 2, at, type: "handoff", from: "ann", to: "bob" });
    journal.append({
      seq: 3,
      at,
      type: "run/ended",
      runId: "r",
      status,
      stopReason: "Complete",
      usage: NO_USAGE,
      resets: true,
      flow: "finished",
    });
    journal.append({ seq: 4, at, type: "userMessage/delivered", id: "u", to: "ann" });
    await store.settled();
    await store.checkpoint(record.key, (await store.load(record)).state);
    await store.settled();
    const { state, checkpoint } = await store.load(record);
    assert.deepEqual([checkpoint, state.handoffFrom, state.finishedAt], [4, "ann", 0]);
    assert.deepEqual(state, await fold(record, store));
  });

  it("keeps no checkpoint of events that could not be stored", async () => {
    using store = new Store();
    const record = await newTeam(store);
    const state = [...sampleRun(2)].reduce(reduceTeam, initialTeamState(record.teamId, sampleTeam, undefined));
    await store.checkpoint(record.key, state);
    assert.deepEqual([(await store.load(record)).checkpoint, (await store.load(record)).state.lastSeq], [0, 0]);
  });

  it("ignores a checkpoint that another reducer made, or that cannot be parsed", async () => {
    using folder = new ScratchFolder();
    using store = new Store(folder.path);
    await store.ready();
    const record = await newTeam(store);
    const journal = store.journal(record);
    for (const event of sampleRun(3)) journal.append(event);
    await store.settled();
    await store.checkpoint(record.key, (await store.load(record)).state);
    await store.settled();
    const database = new DatabaseSync(join(folder.path, "gavel.db"));
    for (const change of ["reducer = 99", "reducer = 1, json = '{}'", "json = 'rubbish'"]) {
      database.exec(`UPDATE checkpoints SET ${change}`);
      assert.deepEqual(
        [(await store.load(record)).checkpoint, (await store.load(record)).state],
        [0, await fold(record, store)],
      );
    }
    database.close();
  });

  it("returns the text of open messages once, and deletes it when they are added", async () => {
    using store = new Store();
    const record = await newTeam(store);
    const journal = store.journal(record);
    const chunk = (delta: string): void =>
      journal.appendTransient({ at, type: "message/chunk", messageId: "m", source: "ann", delta });
    journal.append({ seq: 1, at, type: "message/started", messageId: "m", source: "ann" });
    for (const delta of ["one ", "two "]) chunk(delta);
    await store.settled();
    chunk("three");
    journal.append({ seq: 2, at, type: "reasoning/thought", from: "ann", correlation_id: [] });
    await store.settled();
    assert.deepEqual((await store.load(record)).state.streaming, [
      { messageId: "m", source: "ann", text: "one two three" },
    ]);
    await store.checkpoint(record.key, (await store.load(record)).state);
    await store.settled();
    assert.equal((await store.load(record)).state.streaming[0]?.text, "one two three");
    const message = { id: "m", type: "TextMessage" as const, source: "ann", content: "one two three.", createdAt: at };
    journal.append({ seq: 3, at, type: "message/added", message });
    await store.settled();
    assert.deepEqual((await store.load(record)).state.streaming, []);
    assert.equal((await store.events.openTexts(record.key)).size, 0);
  });

  it("keeps the text of other teams of the tree when a nested team asks for a tool or ends its run", async () => {
    using store = new Store();
    const record = await newTeam(store);
    const journal = store.journal(record);
    const chunk = (messageId: string, path?: string[]): void =>
      journal.appendTransient({ at, type: "message/chunk", messageId, source: "ann", delta: messageId, ...in_(path) });
    const in_ = (path: string[] | undefined) => (path === undefined ? {} : { path });
    chunk("outer");
    chunk("inner", ["lab"]);
    chunk("innermost", ["lab", "lab"]);
    await store.settled();
    const texts = async (): Promise<string[]> => [...(await store.events.openTexts(record.key)).values()].sort();
    const calls = [{ ref: "r", name: "look", input: {} }];
    journal.append({ seq: 1, at, type: "tool/requested", path: ["lab"], participant: "ann", calls });
    await store.settled();
    assert.deepEqual(await texts(), ["innermost", "outer"]);
    chunk("inner", ["lab"]);
    await store.settled();
    const end = { stopReason: null, status: { code: "success" as const }, usage: NO_USAGE };
    journal.append({ seq: 2, at, type: "run/ended", path: ["lab", "lab"], ...end });
    await store.settled();
    assert.deepEqual(await texts(), ["inner", "outer"]);
    journal.append({ seq: 3, at, type: "tool/requested", participant: "ann", calls });
    await store.settled();
    assert.deepEqual(await texts(), ["inner"]);
    chunk("outer");
    journal.append({ seq: 4, at, type: "run/ended", path: ["lab"], ...end });
    await store.settled();
    assert.deepEqual(await texts(), ["outer"]);
    journal.append({ seq: 5, at, type: "run/ended", ...end });
    await store.settled();
    assert.deepEqual(await texts(), []);
  });

  it("counts the messages of the team itself in a list, not those of nested teams", async () => {
    using store = new Store();
    const record = await newTeam(store);
    const journal = store.journal(record);
    const message = { id: "m", type: "TextMessage" as const, source: "ann", content: "outer", createdAt: at };
    journal.append({ seq: 1, at, type: "message/added", message });
    journal.append({
      seq: 2,
      at,
      type: "message/added",
      path: ["lab"],
      message: { ...message, id: "n", content: "inner" },
    });
    await store.settled();
    const [summary] = await store.teams.list();
    assert.deepEqual([summary?.threadLength, summary?.lastLine], [1, "outer"]);
  });

  it("lists the last used first, also when the clock was set back", async () => {
    using folder = new ScratchFolder();
    const order = async (store: Store): Promise<string> =>
      (await store.teams.list()).map(({ teamId }) => teamId).join(" ");
    {
      using store = new Store(folder.path);
      await store.ready();
      const first = await newTeam(store, "a");
      await newTeam(store, "b");
      const earlier = (hours: number): string => new Date(Date.parse(at) - hours * 3_600_000).toISOString();
      await store.teams.create("c", sampleTeam, undefined, earlier(1));
      assert.equal(await order(store), "c b a");
      for (const event of sampleRun(2)) store.journal(first).append({ ...event, at: earlier(2) });
      await store.settled();
      assert.equal(await order(store), "a c b");
      const { key } = (await store.teams.get("b")) ?? { key: 0 };
      await store.teams.redefine(key, sampleTeam, undefined, earlier(3));
      assert.equal(await order(store), "b a c");
    }
    using store = new Store(folder.path);
    await store.ready();
    assert.equal(await order(store), "b a c");
  });

  it("lists teams with their last line, the last used first", async () => {
    using store = new Store();
    const [first, second] = [await newTeam(store, "a"), await newTeam(store, "b")];
    for (const event of sampleRun(2)) store.journal(first).append({ ...event, at: "2026-01-02T00:00:00.000Z" });
    await store.settled();
    const [one, two] = await store.teams.list();
    assert.deepEqual([one?.teamId, one?.threadLength, one?.lastLine], ["a", 4, "Turn 1."]);
    assert.equal(two?.teamId, second.teamId);
  });

  it("deletes a team completely; another one under its id has nothing of it", async () => {
    using store = new Store();
    const record = await newTeam(store);
    for (const event of sampleRun(2)) store.journal(record).append(event);
    await store.teams.delete(record.key);
    const again = await newTeam(store);
    await store.settled();
    assert.notEqual(again.key, record.key);
    assert.deepEqual(await store.events.all(again.key), []);
    const [event] = sampleRun(1);
    assert.ok(event);
    const late = store.journal(record);
    late.append(event);
    await store.settled();
    assert.equal(late.state, "lost");
  });

  it("refuses an event whose number another host has written", async () => {
    using store = new Store();
    const record = await newTeam(store);
    const [event] = sampleRun(1);
    await store.settled();
    assert.ok(event);
    store.journal(record).append(event);
    const late = store.journal(record);
    late.append({ ...event, at: "2026-01-01T00:00:01.000Z" });
    await store.settled();
    assert.equal(late.state, "lost");
  });

  it("keeps every event that it reported as stored, without a gap, when its process is killed while it writes", async (t) => {
    using folder = new ScratchFolder();
    const script = join(import.meta.dirname, "testing/append-until-killed.ts");
    const child = spawn(process.execPath, [script, folder.path], { stdio: ["pipe", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    const exited = once(child, "exit");
    let reported = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      reported = Number(line);
      if (reported === 200) child.kill("SIGKILL");
    }
    await exited;
    assert.ok(reported >= 200);
    using store = new Store(folder.path);
    await store.ready();
    const record = await store.teams.get("t");
    assert.ok(record);
    const events = await store.events.all(record.key);
    assert.ok(events.length >= reported, `${events.length} of ${reported} events are stored`);
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    );
    const { state } = await store.load(record);
    const texts = events.slice(2).map(({ seq }) => `${seq} `);
    assert.equal(state.streaming[0]?.text, texts.join(""));
    assert.equal(state.status, "running");
  });
});

describe("a store that cannot be used is a StorageError that says what to do, and is not changed", () => {
  it("when it is not a database", async () => {
    using folder = new ScratchFolder();
    const path = join(folder.path, "gavel.db");
    writeFileSync(path, "rubbish ".repeat(1_000));
    using store = new Store(folder.path);
    assert.match(
      await storageFailure(() => store.ready()),
      /gavel\.db is not a Gavel store or is damaged.*move it away/,
    );
    assert.equal(readFileSync(path, "utf8"), "rubbish ".repeat(1_000));
  });

  it("when it is the database of another program", async () => {
    using folder = new ScratchFolder();
    const path = join(folder.path, "gavel.db");
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE bookmarks (url TEXT)");
    database.close();
    const before = readFileSync(path);
    using store = new Store(folder.path);
    assert.match(
      await storageFailure(() => store.ready()),
      /gavel\.db is a database of another program, and was not changed; move it away/,
    );
    assert.deepEqual(readFileSync(path), before);
  });

  it("when it is of a newer version", async () => {
    using folder = new ScratchFolder();
    const path = join(folder.path, "gavel.db");
    {
      using store = new Store(folder.path);
      await newTeam(store);
    }
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99; DROP TABLE summaries");
    database.close();
    const before = readFileSync(path);
    using store = new Store(folder.path);
    assert.match(await storageFailure(() => store.ready()), /newer version of Gavel.*update Gavel/);
    assert.deepEqual(readFileSync(path), before);
  });

  it("when a file has the name of its folder", async () => {
    using folder = new ScratchFolder();
    writeFileSync(join(folder.path, "file"), "");
    using store = new Store(join(folder.path, "file", "deep"));
    assert.match(await storageFailure(() => store.ready()), /a file has the same name/);
  });

  it("when a folder has the name of its file", async () => {
    using folder = new ScratchFolder();
    mkdirSync(join(folder.path, "gavel.db"));
    using store = new Store(folder.path);
    assert.match(await storageFailure(() => store.ready()), /gavel\.db cannot be opened/);
  });
});

describe("a row that cannot be read costs that row", () => {
  /** Changes a store while no host has it open. */
  function change(folder: ScratchFolder, sql: string): void {
    const database = new DatabaseSync(join(folder.path, "gavel.db"));
    database.exec(sql);
    database.close();
  }

  for (const [how, json] of [
    ["of an unknown type", `'{"type":"hologram"}'`],
    ["that is no JSON", `'{"type":'`],
    ["that is another event", "(SELECT json FROM events WHERE seq = 5)"],
    ["with a number that JSON does not have", `replace(json, '"seq":3', '"seq":null')`],
  ]) {
    it(`an event ${how}: it is left out, which is said in its place, and once to the user`, async () => {
      using folder = new ScratchFolder();
      const events = [...sampleRun(2)];
      {
        using store = new Store(folder.path);
        await store.ready();
        for (const teamId of ["t", "u"]) {
          const journal = store.journal(await newTeam(store, teamId));
          for (const event of events) journal.append(event);
        }
      }
      change(folder, `UPDATE events SET json = ${json} WHERE seq = 3`);
      const notices: string[] = [];
      using store = new Store(folder.path, { notify: (sentence) => notices.push(sentence) });
      await store.ready();
      const record = await store.teams.get("t");
      await store.settled();
      assert.ok(record);
      const read = await store.events.all(record.key);
      const [lost] = read.splice(2, 1);
      assert.deepEqual(read, events.toSpliced(2, 1));
      assert.ok(lost?.type === "error");
      assert.equal(lost.seq, 3);
      assert.match(lost.message, /gavel\.db contains an event \(number 3\) that is damaged .*, so it is left out\./);
      assert.equal((await store.load(record)).state.threadLength, 4);
      assert.deepEqual(await store.events.page(record.key, 0, 9, ["run/started", "run/ended"]), [
        events[0],
        events.at(-1),
      ]);
      assert.equal(notices.length, 1);
      assert.match(notices[0] ?? "", /it is left out, and the rest of its team is kept\./);
    });
  }

  it("a definition: the other teams are listed, and the user is told", async () => {
    using folder = new ScratchFolder();
    {
      using store = new Store(folder.path);
      await store.ready();
      for (const teamId of ["t", "u", "v"]) await newTeam(store, teamId);
    }
    change(folder, `UPDATE teams SET definition = '{"name":' WHERE teamId = 'u'`);
    const notices: string[] = [];
    using store = new Store(folder.path, { notify: (sentence) => notices.push(sentence) });
    await store.ready();
    for (let twice = 0; twice < 2; twice++)
      assert.deepEqual((await store.teams.list()).map(({ teamId }) => teamId).sort(), ["t", "v"]);
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? "", /the team "u" that is damaged .*: it is left out of the list\./);
    assert.match(await storageFailure(() => store.teams.get("u")), /open the team with its team file/);
  });
});

describe("an event that could not be read again", () => {
  const unreadable: readonly Partial<DurableEvent>[] = [
    {
      type: "model/asked",
      by: "ann",
      purpose: "p",
      usage: { prompt: 1, completion: Number.POSITIVE_INFINITY, total: 1 },
    },
    { type: "model/asked", by: "ann", purpose: "p", usage: { prompt: Number.NaN, completion: 1, total: 1 } },
    { type: "manager/noted", note: 1n },
    { type: "manager/noted", note: nested(100_000) },
    { type: "reasoning/start", id: "r", from: "ann" },
  ];
  for (const [at_, draft] of unreadable.entries()) {
    it(`is refused before anything is written, and no other event is lost: ${draft.type} (${at_ + 1})`, async () => {
      using folder = new ScratchFolder();
      const [first, second] = sampleRun(1);
      assert.ok(first && second);
      {
        using store = new Store(folder.path);
        await store.ready();
        const journal = store.journal(await newTeam(store, "t"));
        const other = store.journal(await newTeam(store, "u"));
        other.append(first);
        journal.append(first);
        const failure = await storageFailure(() => journal.append({ ...draft, seq: 2, at } as DurableEvent));
        assert.match(failure, /^An event \(.*\) was not stored because it could not be read again: /);
        journal.append(second);
      }
      using store = new Store(folder.path);
      await store.ready();
      const read = await Promise.all(
        ["t", "u"].map(async (teamId) => store.events.all((await store.teams.key(teamId)) ?? 0)),
      );
      assert.deepEqual(read, [[first, second], [first]]);
    });
  }
});

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

/** The next thread that starts. */
const onceThread = (): Promise<Worker> => new Promise((resolve) => process.once("worker", resolve));

describe("the host that runs a team", () => {
  it("is one at a time, of the hosts that share a folder", async () => {
    using folder = new ScratchFolder();
    using one = new Store(folder.path);
    await one.ready();
    using two = new Store(folder.path);
    await two.ready();
    const { key } = await newTeam(one);
    assert.equal(await one.locks.take(key), true);
    assert.equal(await one.locks.take(key), true);
    assert.equal(await two.locks.take(key), false);
    await one.locks.release(key);
    assert.equal(await two.locks.take(key), true);
    assert.equal(await one.locks.take(key), false);
  });

  it("claims it with the first events of a run, in one write, unless another host is faster", async () => {
    using folder = new ScratchFolder();
    using one = new Store(folder.path);
    await one.ready();
    using two = new Store(folder.path);
    await two.ready();
    const record = await newTeam(one);
    const { key } = record;
    const [event] = sampleRun(1);
    assert.ok(event !== undefined);
    assert.equal(two.locks.takeWithEvents(key, 1), false, "the team has another event");
    assert.equal(two.locks.takeWithEvents(key, 0), true);
    const journal = two.journal(record);
    journal.append(event);
    await journal.settled();
    assert.deepEqual([journal.state, two.locks.isHeld(key), await one.locks.take(key)], ["saving", true, false]);
    assert.equal(one.locks.takeWithEvents(key, event.seq), false, "another host has it");

    await two.locks.release(key);
    assert.deepEqual(
      [one, two].map(({ locks }) => locks.takeWithEvents(key, event.seq)),
      [true, true],
    );
    assert.equal(await one.locks.take(key), true);
    journal.append({ ...event, seq: event.seq + 1 });
    await journal.settled();
    assert.deepEqual([journal.state, journal.storedSeq, two.locks.isHeld(key)], ["lost", event.seq, false]);
    await one.locks.release(key);
    assert.equal(await two.locks.take(key), true);
  });

  it("is released with the last events of a run that they claim it for", async () => {
    using folder = new ScratchFolder();
    using one = new Store(folder.path);
    await one.ready();
    using two = new Store(folder.path);
    await two.ready();
    const record = await newTeam(one);
    assert.equal(one.locks.takeWithEvents(record.key, 0), true);
    const journal = one.journal(record);
    for (const event of sampleRun(1)) journal.append(event);
    await one.locks.release(record.key);
    assert.deepEqual([journal.state, journal.hasUnstored], ["saving", false]);
    assert.equal(await two.locks.take(record.key), true);
  });

  it("claims it again when its thread has ended", async () => {
    using folder = new ScratchFolder();
    const thread = onceThread();
    using one = new Store(folder.path);
    await one.ready();
    using two = new Store(folder.path);
    await two.ready();
    const record = await newTeam(one);
    assert.equal(await one.locks.take(record.key), true);
    await (await thread).terminate();

    const journal = one.journal(record, { isRunning: () => true, changed: () => {} });
    for (const event of sampleRun(1)) journal.append(event);
    await journal.settled();
    assert.deepEqual([journal.state, await two.locks.take(record.key)], ["saving", false]);
  });

  it("can be another one when the host has died", async () => {
    using folder = new ScratchFolder();
    using two = new Store(folder.path);
    await two.ready();
    const { key } = await newTeam(two);
    {
      using one = new Store(folder.path);
      await one.ready();
      assert.equal(await one.locks.take(key), true);
    }
    assert.equal(await two.locks.take(key), true);
  });
});
