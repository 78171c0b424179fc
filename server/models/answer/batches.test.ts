import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { batches } from "./batches.ts";

/** The items, with a turn of the event loop at each `|`; then the end, or an error. */
async function* arriving(text: string, error?: Error): AsyncGenerator<string> {
  for (const item of text) {
    if (item === "|") {
      await setImmediate();
      await setImmediate();
    } else yield item;
  }
  if (error !== undefined) throw error;
}

test("items that come together are one batch, and others come at once", async () => {
  const seen: string[] = [];
  for await (const batch of batches(arriving("abc|d||ef"), assert.fail)) seen.push(batch.join(""));
  assert.deepEqual(seen, ["abc", "d", "ef"]);
});

test("items before an error come first, and nothing comes of none", async () => {
  const seen: string[] = [];
  const read = async (text: string): Promise<void> => {
    for await (const batch of batches(arriving(text, new Error("broken")), assert.fail)) seen.push(batch.join(""));
  };
  await assert.rejects(read("ab"), /broken/);
  await assert.rejects(read("c|"), /broken/);
  await assert.rejects(read(""), /broken/);
  assert.deepEqual(seen, ["ab", "c"]);
  for await (const _ of batches(arriving(""), assert.fail)) assert.fail();
});

test("a reader that stops does not wait for what never comes", async () => {
  async function* silent(): AsyncGenerator<string> {
    yield "a";
    await new Promise(() => {});
  }
  let stops = 0;
  for await (const _ of batches(silent(), () => stops++)) break;
  assert.equal(stops, 1);
});
