import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { EventBatch } from "./event-batch.ts";

const at = "2026-01-01T00:00:00.000Z";
const chunk = (messageId: string, delta: string): TeamEvent => ({
  at,
  type: "message/chunk",
  messageId,
  source: "a",
  delta,
});

test("events of one frame go to the page together, in order, with a message's chunks joined", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const sent: (readonly TeamEvent[])[] = [];
  const batch = new EventBatch((events) => sent.push(events));
  batch.add([chunk("m1", "Hel")]);
  batch.add([chunk("m1", "lo"), chunk("m2", "you")]);
  batch.add([chunk("m1", "!")]);
  assert.deepEqual(sent, []);
  t.mock.timers.tick(16);
  assert.deepEqual(sent, [[chunk("m1", "Hello"), chunk("m2", "you"), chunk("m1", "!")]]);
});

test("events collected before the whole team is sent are not sent again", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const sent: (readonly TeamEvent[])[] = [];
  const batch = new EventBatch((events) => sent.push(events));
  batch.add([chunk("m1", "Hello")]);
  batch.clear();
  t.mock.timers.tick(16);
  assert.deepEqual(sent, []);
});
