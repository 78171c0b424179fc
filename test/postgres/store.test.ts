import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { postgresAddress } from "../../server/host/store/postgres/address.ts";
import { PostgresConnection } from "../../server/host/store/postgres/postgres-connection.ts";
import { Store, type StoreListeners } from "../../server/host/store/store.ts";
import { sampleRun, sampleTeam } from "../../server/host/store/testing/sample-events.ts";
import { messageEvent } from "../../server/host/store/testing/stored-team.ts";
import type { Write } from "../../server/host/store/write.ts";
import { GavelError } from "../../shared/contract/errors.ts";
import type { DurableEvent } from "../../shared/contract/event.ts";
import { until } from "../editor/harness/until.ts";
import { emptyDatabase, Postgres, query } from "../servers/postgres.ts";
import { TcpProxy } from "../servers/tcp-proxy.ts";

const at = "2026-01-01T00:00:00.000Z";

/** A store that is closed at the end of the test. */
async function storeAt(context: TestContext, url: string, listeners: StoreListeners = {}): Promise<Store> {
  const store = new Store(url, listeners);
  context.after(() => store[Symbol.dispose]());
  await store.ready();
  return store;
}

async function teamIn(store: Store, teamId = "t") {
  await store.teams.create(teamId, sampleTeam, undefined, at);
  const record = await store.teams.get(teamId);
  assert.ok(record !== undefined);
  return record;
}

async function append(store: Store, record: Awaited<ReturnType<typeof teamIn>>, events: Iterable<DurableEvent>) {
  const journal = store.journal(record, { isRunning: () => true, changed: () => {} });
  for (const event of events) journal.append(event);
  await journal.settled();
  return journal;
}

const file = (path: string, before: string | null, after: string | null) => ({
  path,
  shown: path,
  before: before === null ? null : Buffer.from(before),
  after: after === null ? null : Buffer.from(after),
});

it("a team is stored as in a folder: its events, state, list entry, title, edits and rules", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const store = await storeAt(context, url);
  const record = await teamIn(store);
  const events = [...sampleRun(3)];
  await append(store, record, events);
  assert.deepEqual(await store.events.all(record.key), events);
  const { state } = await store.load(record);
  await store.checkpoint(record.key, state);
  await store.teams.summarize(record.key, { ...state, status: "idle" }, at);
  const titled: DurableEvent = {
    seq: events.length + 1,
    at,
    runId: "r",
    type: "team/renamed",
    title: "Herons",
    by: "user",
  };
  await append(store, record, [titled]);
  assert.deepEqual((await store.load(record)).checkpoint, events.length);
  assert.partialDeepStrictEqual(await store.teams.list(), [
    { teamId: "t", title: "Herons", name: "Talk", threadLength: 6 },
  ]);
  assert.equal((await store.events.page(record.key, 0, 100, ["message/added"])).length, 6);

  await store.edits.add(record.key, { turnId: "one" }, file("a", "old", "new"));
  await store.edits.add(record.key, { turnId: "one" }, file("a", "new", "newer"));
  const [turn] = await store.edits.turns(record.key);
  assert.deepEqual(
    turn?.files.map(({ edits }) => edits.length),
    [2],
  );
  assert.equal(String(await store.edits.content(turn?.files[0]?.before ?? "")), "old");

  const rule = { id: "rule_1", decision: "allow", tool: "runCommand", command: "ls", scope: "workspace" } as const;
  await store.approvals.add(rule);
  assert.deepEqual(await store.approvals.all(), { rules: [rule] });
  assert.equal(await store.approvals.remove("rule_1"), true);

  await store.teams.delete(record.key);
  assert.deepEqual(await store.teams.list(), []);
  const left = `SELECT (SELECT count(*) FROM gavel.contents) + (SELECT count(*) FROM gavel.events) AS n`;
  assert.deepEqual(await query(url, left), [{ n: "0" }]);
});

it("any text can be stored, also one that PostgreSQL refuses, and a long one once", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const store = await storeAt(context, url);
  const texts = ["a\0b", "half \ud83d a pair", "\u{10FFFF}", "'; DROP TABLE teams; --", "\\u0000 $1 ?"];
  for (const [nth, text] of texts.entries()) {
    const record = await teamIn(store, `t${nth}`);
    const journal = await append(store, record, [
      messageEvent(1, text),
      messageEvent(2, `${"long ".repeat(50_000)}${text}`),
    ]);
    journal.appendTransient({ at, runId: "r", type: "message/chunk", messageId: "m", source: "ann", delta: text });
    await journal.settled();
    const [event] = await store.events.all(record.key);
    assert.deepEqual(event, JSON.parse(JSON.stringify(messageEvent(1, text))), JSON.stringify(text));
    assert.equal(
      (await store.events.openTexts(record.key)).get("m"),
      Buffer.from(text).toString(),
      JSON.stringify(text),
    );
    assert.equal((await store.events.page(record.key, 0, 9, ["message/added"])).length, 2);
    const { hits } = await store.find({ query: "half", limit: 9 }, new AbortController().signal);
    assert.equal(hits.length > 0, nth >= 1);
  }
  const count = () => query(url, "SELECT count(DISTINCT hash)::int AS n FROM gavel.texts");
  const before = await count();
  const same = await teamIn(store, "same");
  await append(store, same, [messageEvent(1, `${"long ".repeat(50_000)}a\0b`)]);
  assert.deepEqual(await count(), before);
  await store.teams.delete(same.key);
  assert.deepEqual(await count(), before);
});

it("what two hosts need and drop at the same time stays as long as one needs it", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const [one, two] = [await storeAt(context, url), await storeAt(context, url)];
  const kept = await teamIn(one, "kept");
  const long = "long ".repeat(50_000);
  let seq = 0;
  for (let round = 0; round < 12; round++) {
    const passing = await teamIn(two, `passing${round}`);
    await append(two, passing, [messageEvent(1, `${long}${round}`)]);
    await two.edits.add(passing.key, { turnId: "x" }, file("a", `${round}`, "same"));
    await Promise.all([
      append(one, kept, [messageEvent(++seq, `${long}${round}`)]),
      one.edits.add(kept.key, { turnId: `turn${round}` }, file("a", `${round}`, "same")),
      two.teams.delete(passing.key),
    ]);
  }
  assert.deepEqual(
    (await one.events.all(kept.key)).map(({ type }) => type),
    Array(seq).fill("message/added"),
  );
  const hashes = (await one.edits.turns(kept.key)).flatMap(({ files }) =>
    files.flatMap(({ before, after }) => [before, after]),
  );
  for (const hash of hashes) assert.ok((await one.edits.content(hash ?? "")) !== undefined);
});

it("a team is one host's at a time; after its lease another one's, and what the first appends then is refused", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const [one, two] = [await storeAt(context, `${url}?lease=600`), await storeAt(context, `${url}?lease=600`)];
  const record = await teamIn(one);
  assert.deepEqual([await one.locks.take(record.key), await two.locks.take(record.key)], [true, false]);
  const events = [...sampleRun(1)];
  const journal = await append(one, record, events.slice(0, 4));
  await one.locks.release(record.key);
  assert.equal(await two.locks.take(record.key), true);
  await two.locks.release(record.key);
  assert.equal(await one.locks.take(record.key), true);

  // As if this host had been stopped for longer than its lease.
  const expire = `UPDATE gavel.hosts SET until = clock_timestamp() - interval '1 second'`;
  await until("another host has the team", async () => {
    await query(url, expire);
    return (await two.locks.take(record.key)) || undefined;
  });
  for (const event of events.slice(4)) journal.append(event);
  await journal.settled();
  assert.deepEqual([journal.state, journal.lostBecause?.data.code], ["lost", "TeamBusy"]);
  assert.equal(await two.events.lastSeq(record.key), 4);
  // It has to claim the team again, which says that it is not free.
  assert.deepEqual([one.locks.isHeld(record.key), await one.locks.take(record.key)], [false, false]);
  const other = await append(two, record, events.slice(4));
  assert.deepEqual([other.state, await two.events.lastSeq(record.key)], ["saving", events.length]);
});

it("text of a run that another host has ended meanwhile is not stored, and counts as not told", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const [one, two] = [await storeAt(context, `${url}?lease=600`), await storeAt(context, `${url}?lease=600`)];
  const record = await teamIn(one);
  const events = [...sampleRun(1)];
  assert.equal(await one.locks.take(record.key), true);
  const journal = await append(one, record, events.slice(0, 4));

  // The first host learns that it has lost its lease; the other one has ended the run by then, and has released the team.
  one.locks.forget();
  await one.locks.release(record.key);
  assert.equal(await two.locks.take(record.key), true);
  await append(two, record, events.slice(4));
  await two.locks.release(record.key);
  journal.appendTransient({ type: "message/chunk", at, messageId: "m", source: "a", delta: "late" });
  await journal.settled();
  assert.deepEqual([journal.state, journal.isTold(journal.position)], ["lost", false]);
  assert.deepEqual([...(await two.events.openTexts(record.key))], []);
});

it("a team whose claim was stored without an answer is released like one that the host knows to have", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  await using proxy = await TcpProxy.to(Number(new URL(url).port));
  const one = await storeAt(context, proxy.wayTo(`${url}?lease=600`));
  const two = await storeAt(context, `${url}?lease=600`);
  const { key } = await teamIn(one);
  proxy.loseAnswerTo("COMMIT");
  await assert.rejects(one.locks.take(key), { data: { code: "StorageError" } });
  await until("the claim is stored", async () => !(await two.locks.take(key)) || undefined);
  assert.equal(one.locks.canRelease(key), true);
  await one.locks.release(key);
  assert.equal(await two.locks.take(key), true);
});

it("a host that cannot renew its lease is told in time, and goes on when it can", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  await using proxy = await TcpProxy.to(Number(new URL(url).port));
  const address = proxy.wayTo(`${url}?lease=6`);
  const told: string[] = [];
  const store = await storeAt(context, address, { leaseAtRisk: ({ message }) => told.push(message) });
  const record = await teamIn(store);
  assert.equal(await store.locks.take(record.key), true);
  const journal = await append(store, record, [...sampleRun(1)].slice(0, 2));

  proxy.silence();
  const events = [...sampleRun(1)].slice(2, 4);
  for (const event of events) journal.append(event);
  await journal.settled();
  assert.equal(journal.state, "failing");
  await until("the host is told", () => told[0]);
  assert.match(told[0] ?? "", /^The store 127\.0\.0\.1:\d+\/\w+ \(space "gavel"\) does not answer; check/);
  assert.equal(store.health.status.state, "failing");

  proxy.heal();
  proxy.cut();
  proxy.heal();
  await until("it is stored again", async () => {
    await store.health.retry();
    return journal.state === "saving" || undefined;
  });
  assert.equal(await store.events.lastSeq(record.key), 4);
});

it("a thread that is replaced has the teams of its host", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const thread = new Promise<import("node:worker_threads").Worker>((resolve) => process.once("worker", resolve));
  const [one, two] = [await storeAt(context, url), await storeAt(context, url)];
  const record = await teamIn(one);
  assert.equal(await one.locks.take(record.key), true);
  await (await thread).terminate();
  const journal = await append(one, record, sampleRun(1));
  assert.deepEqual([journal.state, await two.locks.take(record.key)], ["saving", false]);
});

it("a store that cannot be used is a StorageError that says what to do, without the password", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const failure = async (address: string): Promise<string> => {
    using store = new Store(address);
    const error = await store.ready().then(
      () => assert.fail("It is ready."),
      (error: unknown) => error,
    );
    assert.ok(error instanceof GavelError);
    assert.equal(error.data.code, "StorageError");
    return error.message;
  };
  const other = (change: (url: URL) => void): string => {
    const changed = new URL(url);
    change(changed);
    return changed.href;
  };
  const wrong = await failure(other((address) => (address.password = "wrong-password")));
  assert.match(wrong, /does not accept the user or the password; correct its address\.$/);
  assert.doesNotMatch(wrong, /wrong-password/);
  assert.match(await failure(other((address) => (address.pathname = "/missing"))), /has no such database; make it/);
  assert.match(await failure(other((address) => (address.port = "1"))), /cannot be reached \(ECONNREFUSED\)/);
  await query(url, `CREATE SCHEMA gavel_other; CREATE TABLE gavel_other.t (n int)`);
  assert.match(
    await failure(`${url}?space=other`),
    /gavel_other of .* has tables of another program; use another space/,
  );
  {
    using store = new Store(`${url}?space=newer`);
    await store.ready();
  }
  await query(url, `UPDATE gavel_newer."gavelStore" SET version = 99`);
  assert.match(await failure(`${url}?space=newer`), /newer version of Gavel \(schema 99; .*\); update Gavel/);
});

it("a write that the server refuses fails alone", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const connection = new PostgresConnection({ id: "host", key: "00" }, postgresAddress(url), () => {});
  context.after(() => connection.close());
  const insert = (id: string): Write => ({
    kind: "run",
    statements: [["INSERT INTO approvals (id, json) VALUES (?, '{}')", id]],
  });
  const impossible: Write = { kind: "run", statements: [["UPDATE approvals SET sum = 1 / 0"]] };
  const outcomes = await connection.execute([insert("a"), impossible, insert("a"), insert("b")]);
  assert.deepEqual(
    outcomes.map((outcome) => ("value" in outcome ? outcome.value : outcome.failure.conflict)),
    [1, false, true, 1],
  );
});

it("hosts that make the tables at the same time all can use them", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const stores = await Promise.all(Array.from({ length: 5 }, () => storeAt(context, url)));
  await Promise.all(stores.map((store, nth) => teamIn(store, `t${nth}`)));
  assert.equal((await stores[0]?.teams.list())?.length, 5);
});

it("what was told is there after a crash of the server", async (context) => {
  if ((await emptyDatabase(context)) === undefined) return;
  await using postgres = await Postgres.start();
  const store = await storeAt(context, postgres.url);
  const record = await teamIn(store);
  assert.equal(await store.locks.take(record.key), true);
  const events = [...sampleRun(20)];
  const journal = store.journal(record, { isRunning: () => true, changed: () => {} });
  for (const event of events.slice(0, 50)) journal.append(event);
  await journal.durable(50);
  for (const event of events.slice(50, 60)) journal.append(event);
  await postgres.restart();
  const told = journal.storedSeq;
  for (const event of events.slice(60)) journal.append(event);
  await until("the rest is stored", async () => {
    await store.health.retry();
    await journal.settled();
    return journal.storedSeq === events.length || undefined;
  });
  assert.ok(told >= 50);
  assert.deepEqual(await store.events.all(record.key), events);
});
