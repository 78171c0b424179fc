import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableEvent } from "../../shared/contract/event.ts";
import { initialTeamState, snapshotOf } from "../../shared/state/team-state.ts";
import { TAIL, TeamMirror } from "./team-mirror.ts";

const at = "2026-01-01T00:00:00.000Z";
const empty = snapshotOf(initialTeamState("t1", { name: "Review", kind: "roundRobin", participants: [{ name: "a" }] }));
const started = (seq: number): DurableEvent => ({
  seq,
  at,
  type: "message/started",
  messageId: `m${seq}`,
  source: "a",
});

test("consecutive events are folded in order", () => {
  const mirror = new TeamMirror(empty, []);
  assert.deepEqual([mirror.apply(started(1)), mirror.apply(started(2))], ["applied", "applied"]);
  assert.equal(mirror.state.lastSeq, 2);
  assert.deepEqual(
    mirror.tail.map(({ seq }) => seq),
    [1, 2],
  );
});

test("a repeated event changes nothing", () => {
  const mirror = new TeamMirror({ ...empty, lastSeq: 4 }, []);
  const before = mirror.state;
  assert.equal(mirror.apply(started(4)), "old");
  assert.equal(mirror.state, before);
});

test("a missing event is noticed, and the event after it is not folded", () => {
  const mirror = new TeamMirror(empty, []);
  assert.equal(mirror.apply(started(2)), "gap");
  assert.equal(mirror.state.lastSeq, 0);
});

test("a chunk is folded, and not kept as an event", () => {
  const mirror = new TeamMirror(empty, []);
  mirror.apply(started(1));
  mirror.apply({ at, type: "message/chunk", messageId: "m1", source: "a", delta: "Hello" });
  assert.equal(mirror.state.streaming[0]?.text, "Hello");
  assert.equal(mirror.tail.length, 1);
});

test("the tail stays bounded in a long run", () => {
  const mirror = new TeamMirror(empty, []);
  for (let seq = 1; seq <= 3 * TAIL; seq++) mirror.apply(started(seq));
  assert.ok(mirror.tail.length <= 1.25 * TAIL);
  assert.equal(mirror.tail.at(-1)?.seq, 3 * TAIL);
});
