import assert from "node:assert/strict";
import { test } from "node:test";
import { Transcript } from "../run/transcript.ts";
import { messageAdded, numbered, summarize, toolExecuted, toolRequested } from "../testing/random-conversation.ts";
import { buffered } from "./buffered.ts";
import type { ItemGroup } from "./item-groups.ts";

const numbers = Array.from({ length: 30 }, (_, at) => messageAdded("bob", `${at}`));

test("the last items are shown, ten by default", () => {
  const transcript = new Transcript(() => numbered(numbers));

  assert.deepEqual(summarize(transcript.itemsFor("ann", { kind: "buffered", size: 2 })), ["bob: 28", "bob: 29"]);
  assert.equal(transcript.itemsFor("ann", { kind: "buffered" }).length, 10);
});

test("a call counts as its items, and is shown as a whole at the limit", () => {
  const conversation = [
    ...numbers,
    toolRequested("ann", "c1", "c2"),
    toolExecuted("c1"),
    toolExecuted("c2"),
    messageAdded("bob", "last"),
  ];
  const shown = (size: number): number =>
    new Transcript(() => numbered(conversation)).itemsFor("ann", { kind: "buffered", size }).length;

  assert.deepEqual([1, 2, 3, 4, 5, 6].map(shown), [1, 4, 4, 4, 5, 6]);
});

test("a call that has been waiting for the user is shown before the last items", () => {
  const transcript = new Transcript(() => numbered([toolRequested("ann", "c1", "c2"), toolExecuted("c2"), ...numbers]));

  assert.deepEqual(summarize(transcript.itemsFor("ann", { kind: "buffered", size: 1 })), [
    "ask c1 c2",
    "c1 -> This call is waiting for the user's decision and has not run yet.",
    "c2 -> out c2",
    "bob: 29",
  ]);
});

test("only the end of a long conversation is read", () => {
  let read = 0;
  function* backwards(): Iterable<ItemGroup> {
    for (let at = 1_000_000; ; at--) {
      read++;
      yield { at, items: [{ role: "user", source: "bob", content: `${at}` }] };
    }
  }
  const forwards = (): Iterable<ItemGroup> => assert.fail("The beginning is read.");

  assert.equal(buffered({ backwards, forwards, undecided: [] }, 5).length, 5);
  assert.ok(read <= 6, `${read}`);
});
