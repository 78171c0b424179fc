import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../contract/event.ts";
import { mergedEvent } from "./merge-events.ts";

const at = "2026-01-01T00:00:00.000Z";
const chunk = (messageId: string, delta: string): TeamEvent => ({
  at,
  type: "message/chunk",
  messageId,
  source: "ann",
  delta,
});
const output = (ref: string, delta: string): TeamEvent => ({ at, type: "tool/output", ref, delta });

test("chunks of one message become one", () => {
  assert.deepEqual(mergedEvent(chunk("m", "a"), chunk("m", "b")), chunk("m", "ab"));
});

test("output of one call becomes one", () => {
  assert.deepEqual(mergedEvent(output("1", "a"), output("1", "b")), output("1", "ab"));
});

test("output of one call is not added to that of another", () => {
  assert.equal(mergedEvent(output("1", "a"), output("2", "b")), undefined);
});

test("a chunk of one message is not added to that of another, nor to a call's output", () => {
  assert.equal(mergedEvent(chunk("m", "a"), chunk("n", "b")), undefined);
  assert.equal(mergedEvent(output("m", "a"), chunk("m", "b")), undefined);
});
