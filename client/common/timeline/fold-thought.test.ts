import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { foldTimeline } from "./fold-timeline.ts";
import { EMPTY_TIMELINE } from "./timeline.ts";

const at = "2026-03-02T10:40:00.000Z";
let seq = 0;
const chunk = (from: string, delta: string): TeamEvent => ({
  at,
  type: "reasoning/chunk",
  from,
  correlation_id: [`turn-${from}`],
  delta,
});
const thought = (from: string, message: string): TeamEvent => ({
  at,
  seq: ++seq,
  type: "reasoning/thought",
  from,
  correlation_id: [`turn-${from}`],
  message,
});
const started = (source: string): TeamEvent => ({ at, seq: ++seq, type: "message/started", messageId: "m1", source });

const shown = (events: readonly TeamEvent[]) =>
  foldTimeline(EMPTY_TIMELINE, events).items.map((item) =>
    item.kind === "thought" ? [item.source, item.text, item.live ?? "recorded"] : [item.kind],
  );

test("a thought is shown as it comes, each participant's by itself", () => {
  assert.deepEqual(shown([chunk("ann", "Let me"), chunk("bob", "Hm"), chunk("ann", " see")]), [
    ["ann", "Let me see", "streaming"],
    ["bob", "Hm", "streaming"],
  ]);
});

test("it has ended when its participant's message starts, and is recorded in its place", () => {
  const events = [chunk("ann", "Let me see"), started("ann")];
  assert.deepEqual(shown(events), [["ann", "Let me see", "ended"], ["message"]]);
  const streamed = foldTimeline(EMPTY_TIMELINE, events);
  const recorded = foldTimeline(streamed, [thought("ann", "Let me see.")]);
  assert.equal(recorded.items[0]?.key, streamed.items[0]?.key);
  assert.deepEqual(shown([...events, thought("ann", "Let me see.")]), [
    ["ann", "Let me see.", "recorded"],
    ["message"],
  ]);
});

test("a thought without text leaves none, and a run's end leaves none that is not recorded", () => {
  assert.deepEqual(shown([chunk("ann", "  ")]), []);
  const end: TeamEvent = {
    at,
    seq: ++seq,
    type: "run/ended",
    stopReason: null,
    status: { code: "interrupted" },
    usage: { prompt: 0, completion: 0, total: 0 },
  };
  assert.deepEqual(shown([chunk("ann", "Let me"), end]), [["runEnd"]]);
});

test("a thought before a message and one after it are recorded as one", () => {
  const events = [chunk("ann", "Here it is."), started("ann"), chunk("ann", " Or not?")];
  assert.deepEqual(shown(events), [["ann", "Here it is.", "ended"], ["message"], ["ann", " Or not?", "streaming"]]);
  assert.deepEqual(shown([...events, thought("ann", "Here it is. Or not?")]), [
    ["ann", "Here it is. Or not?", "recorded"],
    ["message"],
  ]);
});
