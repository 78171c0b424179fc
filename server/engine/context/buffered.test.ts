import assert from "node:assert/strict";
import { test } from "node:test";
import { Transcript } from "../run/transcript.ts";
import { asked, brief, events, ran, said } from "../testing/talk.ts";
import { buffered } from "./buffered.ts";
import type { Group } from "./group.ts";

const numbers = Array.from({ length: 30 }, (_, at) => said("bob", `${at}`));

test("the last items are shown, ten where no size is given", () => {
  const transcript = new Transcript(() => events(numbers));

  assert.deepEqual(brief(transcript.itemsFor("ann", { kind: "buffered", size: 2 })), ["bob: 28", "bob: 29"]);
  assert.equal(transcript.itemsFor("ann", { kind: "buffered" }).length, 10);
});

test("a call with its results counts as so many items, and is shown whole where the limit is within it", () => {
  const talk = [...numbers, asked("ann", "c1", "c2"), ran("c1"), ran("c2"), said("bob", "last")];
  const shown = (size: number): number =>
    new Transcript(() => events(talk)).itemsFor("ann", { kind: "buffered", size }).length;

  assert.deepEqual([1, 2, 3, 4, 5, 6].map(shown), [1, 4, 4, 4, 5, 6]);
});

test("a call that has waited for the user for long is shown before the last items", () => {
  const transcript = new Transcript(() => events([asked("ann", "c1", "c2"), ran("c2"), ...numbers]));

  assert.deepEqual(brief(transcript.itemsFor("ann", { kind: "buffered", size: 1 })), [
    "ask c1 c2",
    "c1 -> This call waits for the user's decision and has not run.",
    "c2 -> out c2",
    "bob: 29",
  ]);
});

test("of a long talk the end alone is read", () => {
  let read = 0;
  function* backwards(): Iterable<Group> {
    for (let at = 1_000_000; ; at--) {
      read++;
      yield { at, items: [{ role: "user", source: "bob", content: `${at}` }] };
    }
  }
  const forwards = (): Iterable<Group> => assert.fail("The beginning is read.");

  assert.equal(buffered({ backwards, forwards, undecided: [] }, 5).length, 5);
  assert.ok(read <= 6, `${read}`);
});
