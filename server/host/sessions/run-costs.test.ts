import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { SqliteDatabase } from "../store/database.ts";
import { Store } from "../store/store.ts";
import { sampleTeam } from "../store/testing/sample-events.ts";
import { ScratchFolder } from "../store/testing/scratch-folder.ts";
import { EventPublisher } from "./event-publisher.ts";
import type { SessionOptions } from "./session-options.ts";
import { Sessions } from "./sessions.ts";

const line = (): void => {};
const definition = { ...sampleTeam, maxTurns: 1 };

/** A host's teams, whose model says a word. */
function sessionsOf(store: Store, asked: () => Promise<void> = async () => {}): Sessions {
  const speaking = {
    label: "a model",
    async *stream() {
      await asked();
      yield { type: "text" as const, delta: "Hello." };
    },
  };
  const options: SessionOptions = {
    store,
    publisher: new EventPublisher(),
    parts: () => ({ model: () => speaking, tool: () => undefined }),
    user: () => "user",
    connected: () => undefined,
    log: { error: line, warn: line, info: line, debug: line },
    runEnded: () => {},
    endCommands: async () => {},
    discarded: () => {},
  };
  return new Sessions(options);
}

/** The queries that read the store from here on. */
function readsOf({ mock }: TestContext): string[] {
  const reads: string[] = [];
  const { getNow, all } = SqliteDatabase.prototype;
  mock.method(SqliteDatabase.prototype, "getNow", function (this: SqliteDatabase, ...query: Parameters<typeof getNow>) {
    reads.push(query[0]);
    return getNow.apply(this, query);
  });
  mock.method(SqliteDatabase.prototype, "all", function (this: SqliteDatabase, ...query: Parameters<typeof all>) {
    reads.push(query[0]);
    return all.apply(this, query);
  });
  return reads;
}

it("a run of an open team at rest reads the store once before it asks its model", async (context) => {
  using folder = new ScratchFolder();
  using store = new Store(folder.path);
  const reads = readsOf(context);
  let before: string[] = [];
  const sessions = sessionsOf(store, async () => {
    before = reads.splice(0);
  });
  await sessions.open("t", { definition: definition });
  await sessions.run("t", (team) => team.run("Talk."));
  await store.settled();

  reads.length = 0;
  await sessions.run("t", (team) => team.run("Talk."));
  await store.settled();
  assert.equal(before.length, 1, before.join("\n"));
  assert.match(before[0] ?? "", /max\(seq\)/);
});

it("a request to a team that runs, such as an interrupt, does not read the store first", async (context) => {
  using folder = new ScratchFolder();
  using store = new Store(folder.path);
  const reads = readsOf(context);
  let during: string[] = [];
  const sessions = sessionsOf(store, async () => {
    await store.settled();
    reads.length = 0;
    await sessions.get("t");
    during = reads.splice(0);
  });
  await sessions.open("t", { definition: definition });
  await sessions.run("t", (team) => team.run("Talk."));
  await store.settled();
  assert.deepEqual(during, []);
});

it("an open team that another host has deleted is not run, nor is one that it made under the same id mistaken for it", async () => {
  using folder = new ScratchFolder();
  using store = new Store(folder.path);
  using other = new Store(folder.path);
  const [sessions, others] = [sessionsOf(store), sessionsOf(other)];
  await sessions.open("t", { definition: definition });
  await sessions.run("t", (team) => team.run("First."));
  await store.settled();
  await others.delete("t");
  await assert.rejects(
    sessions.run("t", (team) => team.run("Gone.")),
    { data: { code: "UnknownTeam", teamId: "t" } },
  );

  await sessions.open("t", { definition: definition });
  await sessions.run("t", (team) => team.run("Second."));
  await store.settled();
  await others.delete("t");
  await others.open("t", { definition: definition });
  const { messages } = await sessions.run("t", (team) => team.run("Third."));
  assert.deepEqual(messages.map(({ content }) => content).at(0), "Third.");
  const { events } = await sessions.events("t", {});
  await Promise.all([store.settled(), other.settled()]);
  assert.equal(events[0]?.seq, 1);
  assert.equal(events[0]?.type === "run/started" && events[0].task, "Third.");
});

it("a run that is asked for while its team is being deleted is told that there is no such team", async () => {
  using folder = new ScratchFolder();
  using store = new Store(folder.path);
  const sessions = sessionsOf(store);
  await sessions.open("t", { definition: definition });
  await sessions.run("t", (team) => team.run("Talk."));
  await store.settled();
  const drop = store.teams.delete.bind(store.teams);
  const asked: Promise<unknown>[] = [];
  const ask = (): void => void asked.push(sessions.run("t", (team) => team.run("Gone.")));
  store.teams.delete = async (key) => {
    ask();
    await drop(key);
    ask();
  };
  await sessions.delete("t");
  const outcomes = await Promise.allSettled(asked);
  await store.settled();
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.data.code),
    ["UnknownTeam", "UnknownTeam"],
  );
});
