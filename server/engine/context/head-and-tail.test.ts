import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { DurableDraft } from "../../../shared/contract/event.ts";
import { Transcript } from "../run/transcript.ts";
import { messageAdded, numbered, summarize, toolExecuted, toolRequested } from "../testing/random-conversation.ts";

const MARK = "system: [Part of the conversation is omitted here.]";

const shown = (drafts: readonly DurableDraft[], context: Omit<ContextDefinition, "kind">): string[] =>
  summarize(new Transcript(() => numbered(drafts)).itemsFor("ann", { kind: "headAndTail", ...context }));
const numbers = (count: number): DurableDraft[] =>
  Array.from({ length: count }, (_, at) => messageAdded("bob", `${at}`));

test("the beginning and the end are shown, with a note about the omission between them", () => {
  assert.deepEqual(shown(numbers(9), { head: 2, tail: 1 }), ["bob: 0", "bob: 1", MARK, "bob: 8"]);
});

test("without an omission there is no note", () => {
  assert.deepEqual(shown(numbers(3), { head: 2, tail: 1 }), ["bob: 0", "bob: 1", "bob: 2"]);
  assert.deepEqual(shown(numbers(2), { head: 2, tail: 2 }), ["bob: 0", "bob: 1"]);
  assert.deepEqual(shown([], { head: 2, tail: 2 }), []);
  const waits = [messageAdded("bob", "0"), toolRequested("ann", "c1"), messageAdded("bob", "1")];
  assert.ok(!shown(waits, { head: 1, tail: 1 }).includes(MARK));
});

test("by default it is the task and the last ten items; a size alone covers both", () => {
  assert.equal(shown(numbers(40), {}).length, 1 + 1 + 10);
  assert.deepEqual(shown(numbers(40), { size: 3 }), ["bob: 0", MARK, "bob: 38", "bob: 39"]);
  assert.deepEqual(shown(numbers(40), { size: 1 }), ["bob: 0", MARK, "bob: 39"]);
});

test("a head or a tail that ends within a group includes the whole group", () => {
  const conversation = [
    toolRequested("ann", "c1", "c2"),
    toolExecuted("c1"),
    toolExecuted("c2"),
    ...numbers(5),
    toolRequested("ann", "c3"),
    toolExecuted("c3"),
  ];

  assert.deepEqual(shown(conversation, { head: 1, tail: 1 }), [
    "ask c1 c2",
    "c1 -> out c1",
    "c2 -> out c2",
    MARK,
    "ask c3",
    "c3 -> out c3",
  ]);
});
