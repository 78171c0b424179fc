import assert from "node:assert/strict";
import { it } from "node:test";
import { RepeatedLookup } from "./repeated-lookup.ts";

it("what changes during a lookup is looked up once more, however often it changes", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let looked = 0;
  using lookup = disposable(new RepeatedLookup(async () => gates[looked++]?.promise, 1000));
  const all = Promise.all([lookup.now(), lookup.now(), lookup.now()]);
  assert.equal(looked, 1);
  gates[0]?.resolve();
  gates[1]?.resolve();
  await all;
  assert.equal(looked, 2);
  await lookup.now();
  assert.equal(looked, 3);
});

it("a lookup that fails tells so, and does not hinder the next one", async () => {
  let fails = true;
  using lookup = disposable(
    new RepeatedLookup(async () => {
      if (fails) throw new Error("No host.");
    }, 1000),
  );
  await assert.rejects(lookup.now(), /No host/);
  fails = false;
  await lookup.now();
});

it("after it is disposed, nothing is looked up", async () => {
  let looked = 0;
  const lookup = new RepeatedLookup(async () => void looked++, 0);
  lookup.soon();
  lookup.dispose();
  await lookup.now();
  assert.equal(looked, 0);
});

const disposable = (lookup: RepeatedLookup): RepeatedLookup & Disposable =>
  Object.assign(lookup, { [Symbol.dispose]: () => lookup.dispose() });
