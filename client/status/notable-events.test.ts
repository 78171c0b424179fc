import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableEvent } from "../../shared/contract/event.ts";
import { initialTeamState } from "../../shared/state/team-state.ts";
import { notableEvents } from "./notable-events.ts";

const state = initialTeamState("t", { name: "Talk", kind: "roundRobin", participants: [{ name: "ann" }] });
const at = { at: "2026-03-02T10:40:00Z", seq: 7 } as const;
const usage = { prompt: 0, completion: 0, total: 0 };

const texts = (...events: readonly DurableEvent[]): string[] =>
  notableEvents(state, events, events).map(({ text }) => text);

test("a run that ends by itself or fails, and a call that waits, are told of", () => {
  const status = { code: "success" } as const;
  assert.deepEqual(
    texts({ ...at, type: "run/ended", stopReason: "Maximum number of turns 1 reached", status, usage }),
    ["Finished: the limit of 1 turn is reached."],
  );
  assert.deepEqual(texts({ ...at, type: "error", message: "The host is down.", data: { code: "ModelError" } }), [
    "The host is down.",
  ]);
  assert.deepEqual(
    texts({
      ...at,
      type: "tool/interrupted",
      ref: "r",
      name: "runCommand",
      participant: "ann",
      input: {},
      approval: true,
    }),
    ["ann wants to use runCommand."],
  );
});

test("what the user did is not told of, nor are runs of nested teams", () => {
  const status = { code: "interrupted" } as const;
  assert.deepEqual(texts({ ...at, type: "run/ended", stopReason: "USER_INTERRUPT", status, usage }), []);
  const end = { ...at, type: "run/ended", stopReason: null, usage } as const;
  assert.deepEqual(texts({ ...end, status: { code: "success" }, path: ["inner"] }), []);
});

test("the same cause has the same key", () => {
  const event = { ...at, type: "error", message: "Down.", data: { code: "ModelError" } } as const;
  const [first, second] = [event, event].map((one) => notableEvents(state, [one], [one])[0]?.key);
  assert.equal(first, second);
  assert.notEqual(first, notableEvents(state, [{ ...event, seq: 8 }], [])[0]?.key);
});
