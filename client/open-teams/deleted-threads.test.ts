import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryMemento } from "../testing/memory-memento.ts";
import { DeletedThreads } from "./deleted-threads.ts";

function threads(memento = memoryMemento()) {
  const gone: string[] = [];
  const deleted = new DeletedThreads(memento, async (teamId) => {
    if (teamId === "busy") throw new Error("It is running.");
    gone.push(teamId);
  });
  return { deleted, gone, memento };
}

test("a deleted thread is hidden, and nothing is lost when it is restored", async () => {
  const { deleted, gone } = threads();
  await deleted.hide("a");
  assert.equal(deleted.has("a"), true);
  assert.equal(await deleted.restore("a"), true);
  await deleted.finish("a");
  assert.deepEqual([deleted.has("a"), gone], [false, []]);
});

test("it is really deleted when the offer is gone, and then not restored", async () => {
  const { deleted, gone } = threads();
  await deleted.hide("a");
  await deleted.finish("a");
  assert.deepEqual(gone, ["a"]);
  assert.equal(await deleted.restore("a"), false);
});

test("a crash of the window, or a host that refuses, only puts it off", async () => {
  const before = threads();
  await before.deleted.hide("a");
  await before.deleted.hide("busy");
  const { deleted, gone } = threads(before.memento);
  await deleted.finishLeft();
  assert.deepEqual([gone, deleted.has("a"), deleted.has("busy")], [["a"], false, true]);
});

test("what an earlier window left is deleted, and what this one may still restore is not", async () => {
  const before = threads();
  await before.deleted.hide("old");
  const { deleted, gone } = threads(before.memento);
  await deleted.hide("new");
  await deleted.finishLeft();
  assert.deepEqual([gone, deleted.has("new")], [["old"], true]);
  assert.equal(await deleted.restore("new"), true);
});
