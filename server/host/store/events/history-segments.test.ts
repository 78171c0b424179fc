import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContextDefinition } from "../../../../shared/contract/definition.ts";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import { type History, type HistoryPage, nestedHistory } from "../../../engine/log/history.ts";
import { Transcript } from "../../../engine/run/transcript.ts";
import { ask, call, ScriptedModel, say } from "../../../engine/testing/scripted-model.ts";
import { testTeam } from "../../../engine/testing/test-team.ts";
import { testTool } from "../../../engine/testing/test-tool.ts";
import { SqliteDatabase } from "../database.ts";
import { TeamJournal } from "../records/team-journal.ts";
import { TeamRecords } from "../records/team-records.ts";
import { sampleRun, sampleTeam } from "../testing/sample-events.ts";
import { WriteQueue } from "../write-queue.ts";
import { DirectWriter } from "../writing/direct-writer.ts";
import { WriteConnection } from "../writing/write-connection.ts";
import { EventLog } from "./event-log.ts";
import { HistorySegments } from "./history-segments.ts";
import { RecentHistories } from "./recent-histories.ts";

const at = "2026-01-01T00:00:00.000Z";
const KEY = 1;

/** A store in memory with a team that has these events. */
async function storeOf(events: Iterable<DurableEvent>) {
  const connection = new WriteConnection(undefined);
  const queue = new WriteQueue(new DirectWriter(connection));
  const database = new SqliteDatabase(connection.path, () => ({ database: connection.database, kind: "store" }));
  await new TeamRecords(database, queue).create("t", sampleTeam, undefined, at);
  const use = { claim: () => "no" as const, claimed: () => {}, changed: () => {} };
  const journal = new TeamJournal({ queue, teamId: "t", key: KEY, ...use });
  for (const event of events) journal.append(event);
  const settled = async (): Promise<void> => void (await queue.write<"open">({ kind: "open" }));
  await settled();
  const log = new EventLog(database);
  return {
    log,
    settled,
    segments: (size?: number) => new HistorySegments(database, log, queue, size),
    recent: (segments: HistorySegments) => new RecentHistories(database, queue, log, segments),
    get: (sql: string) => database.get(sql),
    run: (sql: string) => connection.database.exec(sql),
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

/** A talk with tools, an interrupt, a rewritten partial, a nested team, a reset and a loaded state. */
async function variedEvents(): Promise<readonly DurableEvent[]> {
  const tools = [testTool("look")];
  const { team, events, next } = testTeam({
    speakers: {
      ann: new ScriptedModel(
        ask(call("c", "look")),
        say("found"),
        [...say("half"), { type: "wait", until: new Promise(() => {}) }],
        say("whole"),
      ),
      bob: () => "bob",
      eve: () => "eve",
    },
    participants: [
      { name: "ann", model: "ann", tools: ["look"], maxToolIterations: 2 },
      { name: "bob" },
      {
        name: "lab",
        kind: "team",
        team: { name: "Lab", kind: "roundRobin", participants: [{ name: "eve" }], maxTurns: 1 },
      },
    ],
    tools,
    termination: { maxMessages: 4 },
    graceMs: 1,
  });
  await team.run("first");
  const saved = team.save();
  const spoken = next("message/chunk");
  const running = team.run();
  await spoken;
  await team.interrupt();
  await running;
  const partial = team.messages.find((message) => message.partial);
  if (partial !== undefined) team.editMessage(partial.id, "a half", "user");
  await team.run();
  team.reset();
  await team.run("again");
  team.load(saved);
  await team.run("last");
  return events.filter((event): event is DurableEvent => "seq" in event);
}

async function transcriptOf(history: AsyncIterable<HistoryPage>): Promise<Transcript> {
  const transcript = new Transcript();
  for await (const { events } of history) for (const event of events) transcript.apply(event);
  return transcript;
}

async function* inOnePage(events: Promise<readonly DurableEvent[]>): AsyncGenerator<HistoryPage> {
  yield { events: await events, lastSeq: 0 };
}

const eventsIn = async (history: AsyncIterable<HistoryPage>): Promise<DurableEvent[]> => {
  const all: DurableEvent[] = [];
  for await (const { events } of history) all.push(...events);
  return all;
};

/** Everything that is read from a transcript. */
async function contentOf(history: AsyncIterable<HistoryPage>) {
  const transcript = await transcriptOf(history);
  return {
    entries: transcript.entries,
    messages: transcript.messages,
    conditionInput: transcript.conditionInput(1_000),
    items: ["ann", "bob"].map((name) => transcript.itemsFor(name, undefined)),
    progress: ["ann", "bob"].map((name) => transcript.progressOf(name)),
  };
}

describe("the history in segments", () => {
  for (const size of [1, 2, 3, 5, 8, 13, 34]) {
    it(`gives the same transcript as the events, ${size} events to a segment`, async () => {
      const events = await variedEvents();
      assert.ok(events.length > 60);
      using store = await storeOf(events);
      const expected = await contentOf(inOnePage(store.log.all(KEY)));
      const segments = store.segments(size);
      assert.deepEqual(await contentOf(segments.history(KEY)), expected);
      assert.deepEqual(await contentOf(segments.history(KEY)), expected, "read from the segments");
      store.run("UPDATE segments SET json = replace(json, 'b', 'c') WHERE lastSeq > 9");
      assert.deepEqual(await contentOf(segments.history(KEY)), expected, "damaged segments are not used");
    });
  }

  it("is read without the events of the segments, and without repeating long ones", async () => {
    const message = {
      id: "long",
      type: "TextMessage" as const,
      source: "ann",
      content: "x".repeat(100_000),
      createdAt: at,
    };
    const long: DurableEvent = { seq: 3003, at, type: "message/added", message };
    using store = await storeOf([...sampleRun(300), long]);
    const segments = store.segments();
    const all = (await store.log.all(KEY)).flatMap((event) => (event.type === "message/added" ? [event.message] : []));
    while (await segments.extend(KEY));
    store.run("DELETE FROM events WHERE seq <= 3000");
    const read = (await eventsIn(segments.history(KEY))).flatMap((event) =>
      event.type === "message/added" ? [event.message] : [],
    );
    assert.deepEqual(read, all);
    using other = await storeOf([long, ...sampleRun(1)].map((event, index) => ({ ...event, seq: index + 1 })));
    const short = other.segments(5);
    assert.equal(await short.extend(KEY), true);
    assert.equal(await short.extend(KEY), true);
    assert.equal(await short.extend(KEY), false);
    const kept = Number((await other.get("SELECT sum(length(json)) AS n FROM segments"))?.["n"]);
    assert.ok(kept < 10_000, `${kept} characters`);
    assert.ok(
      (await eventsIn(short.history(KEY))).some(
        (event) => event.type === "message/added" && event.message.id === "long",
      ),
    );
  });
});

describe("the end of a history", () => {
  for (const size of [5, 13, 34]) {
    it(`shows as much as the whole of it, also of a nested team, ${size} events to a segment`, async () => {
      const events = await variedEvents();
      for (const length of [size * 2, events.length - 3, events.length]) {
        using store = await storeOf(events.slice(0, length));
        const segments = store.segments(size);
        const histories = store.recent(segments);
        while (await segments.extend(KEY));
        await histories.extend(KEY, () => false);
        const stored = await store.log.all(KEY);
        const history: History = { all: () => stored, recent: () => histories.recent(KEY) };
        for (const part of [history, nestedHistory("lab", history)]) {
          const read = await part.recent();
          assert.ok(read !== undefined && read.events.length + read.later.length < length);
          await assertShowsAsMuch(part, ["ann", "bob", "eve"]);
        }
      }
    });
  }

  it("is shown without the rest of the history, and counted from it again where the totals are damaged", async () => {
    using store = await storeOf(sampleRun(1_000));
    const segments = store.segments();
    const histories = store.recent(segments);
    assert.equal(await histories.recent(KEY), undefined, "nothing is counted yet");
    while (await segments.extend(KEY));
    await histories.extend(KEY, () => false);
    const whole = await transcriptOf(segments.history(KEY));
    const expected = contexts.map((context) => whole.shownTo("ann", context));
    store.run("DELETE FROM events WHERE seq BETWEEN 1 AND 9000");
    store.run("DELETE FROM segments WHERE lastSeq BETWEEN 2000 AND 9000");
    const opened = new Transcript(
      () => assert.fail("the whole history was read"),
      () => histories.recent(KEY),
    );
    await opened.prepareRecent();
    assert.deepEqual(
      contexts.map((context) => opened.shownTo("ann", context)),
      expected,
    );
    store.run("UPDATE totals SET json = replace(json, '1', '2')");
    assert.equal(await histories.recent(KEY), undefined);
  });

  it("is counted on where it was left", async () => {
    using store = await storeOf(sampleRun(1_000));
    const segments = store.segments(100);
    while (await segments.extend(KEY));
    const histories = store.recent(segments);
    let turns = 0;
    await histories.extend(KEY, () => ++turns > 20);
    assert.equal((await histories.recent(KEY))?.until, 1_600);
    await histories.extend(KEY, () => false);
    assert.equal((await histories.recent(KEY))?.until, 10_000);
  });
});

async function assertShowsAsMuch({ all, recent }: History, participants: readonly string[]): Promise<void> {
  const [opened, whole] = [new Transcript(all, recent), new Transcript(all)];
  await opened.prepareRecent();
  for (const name of participants)
    for (const context of contexts)
      assert.deepEqual(opened.shownTo(name, context), whole.shownTo(name, context), `${name} ${context?.kind}`);
}

const contexts: readonly (ContextDefinition | undefined)[] = [
  undefined,
  { kind: "buffered", size: 10 },
  { kind: "tokenLimited", size: 500 },
  { kind: "headAndTail", head: 1, tail: 9 },
];
