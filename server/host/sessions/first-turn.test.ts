import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import type { ContextDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import { ScriptedModel, say } from "../../engine/testing/scripted-model.ts";
import { SqliteDatabase } from "../store/database.ts";
import { Store } from "../store/store.ts";
import { sampleRun, sampleTeam } from "../store/testing/sample-events.ts";
import { ScratchFolder } from "../store/testing/scratch-folder.ts";
import { EventPublisher } from "./event-publisher.ts";
import { Sessions } from "./sessions.ts";

const at = "2026-01-01T00:00:00.000Z";
/** Of one round of two speakers. */
const EVENTS_A_ROUND = 10;
const EVENTS = 20_000;
const SEGMENTS = EVENTS / 1_000;

/** A stored team whose first turn is taken in a new host. */
async function takeFirstTurn(test: TestContext, context: ContextDefinition) {
  using folder = new ScratchFolder();
  const participants = sampleTeam.participants.map((participant) => ({ ...participant, context }));
  const definition: TeamDefinition = { ...sampleTeam, participants, maxTurns: 1 };
  {
    using store = new Store(folder.path);
    await store.teams.create("t", definition, undefined, at);
    const record = await store.teams.get("t");
    assert.ok(record);
    const journal = store.journal(record);
    for (const event of sampleRun(EVENTS / EVENTS_A_ROUND))
      journal.append(event.type === "run/ended" ? { ...event, resets: true } : event);
    await store.settled();
    await store.prepareHistory(record.key);
  }
  let read = 0;
  const { get } = SqliteDatabase.prototype;
  test.mock.method(SqliteDatabase.prototype, "get", function (this: SqliteDatabase, ...query: Parameters<typeof get>) {
    if (query[0].includes("FROM segments WHERE team = ? AND lastSeq >=")) read++;
    return get.apply(this, query);
  });
  const model = new ScriptedModel(say("Here."));
  using store = new Store(folder.path);
  const line = (): void => {};
  const sessions = new Sessions({
    store,
    publisher: new EventPublisher(),
    parts: () => ({ model: () => model, tool: () => undefined }),
    user: () => "user",
    connected: () => undefined,
    log: { error: line, warn: line, info: line, debug: line },
    runEnded: () => {},
    endCommands: async () => {},
    discarded: () => {},
  });
  const session = await sessions.get("t");
  read = 0;
  let before = Number.NaN;
  const { messages, status } = await session.run((team) => {
    team.onEvent(({ type }) => {
      if (type === "message/started") before = read;
    });
    return team.run("Go on.");
  });
  const after = read;
  const saved = await session.save();
  await store.settled();
  return { before, after, status, messages, items: model.requests[0]?.items, entries: saved.transcript.length };
}

it("the first turn of a long team starts from the end of its history, and the rest is read during it", async (test) => {
  const { before, after, ...taken } = await takeFirstTurn(test, { kind: "buffered", size: 3 });
  assert.deepEqual(taken.status, { code: "success" });
  assert.ok(before <= SEGMENTS / 2, `${before} segments are read before it speaks`);
  assert.ok(after >= SEGMENTS, `${after} segments are read when it has spoken`);
  assert.equal(taken.entries, (2 * EVENTS) / EVENTS_A_ROUND + 2);
  assert.deepEqual(
    taken.items?.map((item) => "content" in item && item.content),
    ["Turn 1999.", "Turn 1999.", "Go on."],
  );
});

it("a first turn that is shown the whole conversation starts when all of it is read", async (test) => {
  const { before, items, entries, status } = await takeFirstTurn(test, { kind: "unbounded" });
  assert.deepEqual(status, { code: "success" });
  assert.ok(before >= SEGMENTS, `${before} segments are read before it speaks`);
  assert.deepEqual([items?.length, entries], [(2 * EVENTS) / EVENTS_A_ROUND + 1, (2 * EVENTS) / EVENTS_A_ROUND + 2]);
});
