import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../store/store.ts";
import { sampleTeam } from "../store/testing/sample-events.ts";
import { ScratchFolder } from "../store/testing/scratch-folder.ts";
import { EventPublisher } from "./event-publisher.ts";
import { loadTeam } from "./load-team.ts";

const speaking = {
  label: "a model",
  async *stream() {
    yield { type: "text" as const, delta: "Hello." };
  },
};

test("a checkpoint is saved when the last event of the run is stored, so that the answer does not wait for it", async () => {
  using folder = new ScratchFolder();
  using store = new Store(folder.path);
  await store.ready();
  await store.teams.create("t", { ...sampleTeam, maxTurns: 40 }, undefined, "2026-01-01T00:00:00.000Z");
  const record = await store.teams.get("t");
  assert.ok(record);
  const saved = Promise.withResolvers<{ readonly seq: number; readonly stored: number }>();
  store.checkpoint = async (_, { lastSeq }) => saved.resolve({ seq: lastSeq, stored: journal.storedSeq });
  const line = (): void => {};
  const { team, journal } = loadTeam(
    record,
    await store.load(record),
    {
      store,
      publisher: new EventPublisher(),
      parts: () => ({ model: () => speaking, tool: () => undefined }),
      user: () => "user",
      connected: () => undefined,
      log: { error: line, warn: line, info: line, debug: line },
      runEnded: () => {},
      endCommands: async () => {},
      discarded: () => {},
    },
    { onEvent: (event) => event.type === "run/ended", onJournal: () => {} },
  );
  await team.prepare();
  await team.run("Talk.");
  const { seq, stored } = await saved.promise;
  assert.equal(seq, team.state.lastSeq);
  assert.equal(stored, seq);
});
