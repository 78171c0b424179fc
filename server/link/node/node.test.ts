import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ManualTimers } from "../../engine/testing/manual-timers.ts";
import { FaultyLink } from "../testing/faulty-link.ts";
import { LinkNode } from "./node.ts";

const SILENCE = 5_000;

/** A node with a clock of its own, and what it was told. */
function nodeOn(link: FaultyLink) {
  const timers = new ManualTimers();
  const lost: string[] = [];
  const messages: string[] = [];
  const listeners = {
    message: (_: string, message: Uint8Array) => void messages.push(Buffer.from(message).toString()),
    lost: (node: string) => void lost.push(node),
  };
  return { node: new LinkNode(link, { space: "test", timers, silence: SILENCE }, listeners), timers, lost, messages };
}

/** Two nodes that watch each other, the first of which has sent the second a request. */
function twoNodes(context: TestContext) {
  const link = new FaultyLink();
  const [one, two] = [nodeOn(link), nodeOn(link)];
  context.after(() => one.node.close());
  context.after(() => two.node.close());
  one.node.watch(two.node.id);
  two.node.watch(one.node.id);
  one.node.send(two.node.id, Buffer.from("a request"));
  return { link, one, two };
}

/** Time passes for both, and what they send each other meanwhile comes. */
async function pass(ms: number, ...timers: readonly ManualTimers[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    for (const one of timers) one.advance(250);
    for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate);
  }
}

test("a node that was counted as lost by another one learns that, although it hears it and sends it nothing", async (t) => {
  const { link, one, two } = twoNodes(t);
  await pass(2_000, one.timers, two.timers);
  assert.deepEqual(two.messages, ["a request"]);

  // The second one hears nothing for long enough, the first one not quite: what it hears next is that the other is there.
  link.isUp = false;
  two.timers.advance(SILENCE + 1_000);
  link.isUp = true;
  assert.deepEqual([one.lost, two.lost], [[], [one.node.id]]);
  await pass(SILENCE, one.timers, two.timers);
  assert.deepEqual(one.lost, [two.node.id]);
});

test("nodes that hear each other are not lost, however long nothing is sent", async (t) => {
  const { one, two } = twoNodes(t);
  await pass(200_000, one.timers, two.timers);
  two.node.send(one.node.id, Buffer.from("an answer"));
  await pass(1_000, one.timers, two.timers);
  assert.deepEqual([one.lost, two.lost, two.messages, one.messages], [[], [], ["a request"], ["an answer"]]);
});
