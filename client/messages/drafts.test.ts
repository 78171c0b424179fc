import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryMemento } from "../testing/memory-memento.ts";
import { Drafts } from "./drafts.ts";

const draft = (text: string) => ({ text, attachments: [] });

test("each team has its draft, also after a reload; one that was sent is gone", async () => {
  const memento = memoryMemento();
  const drafts = new Drafts(memento);
  void drafts.set("a", draft("To a"));
  void drafts.set("b", draft("To"));
  await drafts.set("b", draft("To b"));
  assert.deepEqual([drafts.of("a").text, drafts.of("b").text, drafts.of("c").text], ["To a", "To b", ""]);
  const reloaded = new Drafts(memento);
  assert.deepEqual([reloaded.of("a").text, reloaded.of("b").text], ["To a", "To b"]);
  await reloaded.set("a", draft(""));
  assert.equal(new Drafts(memento).of("a").text, "");
});

test("a draft that changes is told with the page that changed it, so that other pages of the team show it", async () => {
  const drafts = new Drafts(memoryMemento());
  const changes: unknown[] = [];
  drafts.onChanged((change) => changes.push(change));
  const page = {};
  await drafts.set("a", draft("From a page"), page);
  await drafts.restore("a", draft("Not sent"));
  assert.deepEqual(changes, [
    { teamId: "a", draft: draft("From a page"), page },
    { teamId: "a", draft: draft("Not sent\nFrom a page"), page: undefined },
  ]);
});

test("what was stored in another form is ignored, and the oldest of many drafts goes", async () => {
  const memento = memoryMemento();
  await memento.update("gavel.drafts", { a: 5 });
  const drafts = new Drafts(memento);
  for (let index = 0; index < 60; index++) await drafts.set(`team-${index}`, draft("x"));
  assert.deepEqual([drafts.of("team-0").text, drafts.of("team-59").text], ["", "x"]);
});

test("a draft is stored after an earlier one could not be", async () => {
  const memento = memoryMemento();
  let isBroken = true;
  const broken = {
    ...memento,
    update: async (key: string, value: unknown) => {
      if (isBroken) throw new Error("The disk is full.");
      await memento.update(key, value);
    },
  };
  const drafts = new Drafts(broken);
  await assert.rejects(drafts.set("a", draft("Lost?")), /disk is full/);
  isBroken = false;
  await drafts.set("b", draft("Kept"));
  const reloaded = new Drafts(memento);
  assert.deepEqual([reloaded.of("a").text, reloaded.of("b").text], ["Lost?", "Kept"]);
});

test("a draft that is too long to be sent, or cannot be read, takes no other with it over a reload", async () => {
  const memento = memoryMemento();
  const drafts = new Drafts(memento);
  await drafts.set("a", draft("To a"));
  await drafts.set("long", draft("y".repeat(600_000)));
  await drafts.restore("long", draft("x".repeat(600_000)));
  await memento.update("gavel.drafts", { ...memento.get<object>("gavel.drafts"), odd: { text: 5 } });
  const reloaded = new Drafts(memento);
  assert.deepEqual([reloaded.of("a").text, reloaded.of("long").text.length], ["To a", 1_200_001]);
  assert.deepEqual(reloaded.of("odd"), draft(""));
});
