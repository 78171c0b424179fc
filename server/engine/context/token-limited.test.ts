import assert from "node:assert/strict";
import { test } from "node:test";
import { Transcript } from "../run/transcript.ts";
import { messageAdded, numbered, summarize, toolRequested } from "../testing/random-conversation.ts";
import { groupItems } from "./item-groups.ts";
import { tokenLimited } from "./token-limited.ts";
import { itemTokens } from "./tokens.ts";

const conversation = new Transcript(() =>
  numbered(Array.from({ length: 200 }, (_, at) => messageAdded("bob", `${at} ${"word ".repeat(at)}`))),
);
const whole = conversation.itemsFor("ann", undefined);
const tokens = (items: typeof whole): number => items.reduce((sum, item) => sum + itemTokens(item), 0);

test("as much of the end is shown as fits, and not one message more", () => {
  for (const size of [300, 1_000, 5_000, 20_000]) {
    const items = tokenLimited(groupItems(whole), size);

    assert.deepEqual(items, whole.slice(-items.length), `size ${size}`);
    assert.ok(tokens(items) <= size, `size ${size}`);
    assert.ok(tokens(whole.slice(-items.length - 1)) > size, `size ${size}`);
  }
});

test("without a size it is 8,000 tokens", () => {
  assert.deepEqual(tokenLimited(groupItems(whole)), tokenLimited(groupItems(whole), 8_000));
});

test("the last message is shown even if it is too long, and so is what waits for the user", () => {
  const waits = new Transcript(() =>
    numbered([messageAdded("bob", "early"), toolRequested("ann", "c1"), messageAdded("bob", "late ".repeat(99))]),
  );

  assert.deepEqual(summarize(tokenLimited(groupItems(waits.itemsFor("ann", undefined)), 1)), [
    "ask c1",
    "c1 -> This call is waiting for the user's decision and has not run yet.",
    `bob: ${"late ".repeat(99)}`,
  ]);
});
