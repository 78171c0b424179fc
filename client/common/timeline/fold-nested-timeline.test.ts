import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, TeamEvent, TransientDraft } from "../../../shared/contract/event.ts";
import { initialTeamState, snapshotOf } from "../../../shared/state/team-state.ts";
import { foldTimeline, prependTimeline, timelineOf } from "./fold-timeline.ts";
import type { TeamItem, TimelineItem } from "./items.ts";
import { EMPTY_TIMELINE } from "./timeline.ts";

const at = "2026-01-01T10:42:00.000Z";
const usage = { prompt: 0, completion: 0, total: 0 };

type Draft = (DurableDraft | TransientDraft) & { readonly path?: string[] };

/** Numbers durable events from 1 on; transient ones have no number. */
function events(...drafts: readonly Draft[]): TeamEvent[] {
  let seq = 0;
  return drafts.map((draft) => {
    if (draft.type === "message/chunk" || draft.type === "tool/output") return { ...draft, at };
    seq++;
    return { ...draft, seq, at } as TeamEvent;
  });
}

const within = (path: readonly string[], ...drafts: readonly Draft[]): Draft[] =>
  drafts.map((draft) => ({ ...draft, path: [...path] }));
const started = (messageId: string, source: string): Draft => ({ type: "message/started", messageId, source });
const chunk = (messageId: string, source: string, delta: string): Draft => ({
  type: "message/chunk",
  messageId,
  source,
  delta,
});
const said = (id: string, source: string, content = id): Draft => ({
  type: "message/added",
  message: { id, type: "TextMessage", source, content, createdAt: at },
});
const requested = (participant: string, ref: string): Draft => ({
  type: "tool/requested",
  participant,
  calls: [{ ref, name: "runCommand", input: {} }],
});
const waiting = (participant: string, ref: string): Draft => ({
  type: "tool/interrupted",
  ref,
  name: "runCommand",
  participant,
  input: {},
  approval: true,
});
const executed = (participant: string, ref: string): Draft => ({
  type: "tool/executed",
  ref,
  name: "runCommand",
  participant,
  output: "ok",
  isError: false,
});
const ended = (stopReason: string | null, code: "success" | "interrupted" = "success", reason?: string): Draft => ({
  type: "run/ended",
  stopReason,
  status: { code, ...(reason === undefined ? {} : { reason }) },
  usage,
});
const selected = (participant: string): Draft => ({ type: "speaker/selected", participants: [participant] });

const fold = (...drafts: readonly Draft[]): readonly TimelineItem[] =>
  foldTimeline(EMPTY_TIMELINE, events(...drafts)).items;

/** The items as one reads them: a nested team as its name, its state and what it said. */
function outline(items: readonly TimelineItem[]): unknown[] {
  return items.map((item) => {
    switch (item.kind) {
      case "message":
        return `${item.source}: ${item.text}`;
      case "tools":
        return `${item.source}: ${item.calls.map(({ ref, state }) => `${ref} ${state}`).join(", ")}`;
      case "team":
        return { [`${item.source} ${item.state}`]: outline(item.items) };
      default:
        return item.kind;
    }
  });
}

test("a nested team's messages are in one item of its participant, before that participant's answer", () => {
  const talk = [
    selected("research"),
    ...within(["research"], selected("alice"), said("m1", "alice", "a"), said("m2", "bob", "b")),
  ];
  assert.deepEqual(outline(fold(...talk)), [{ "research working": ["alice: a", "bob: b"] }]);
  assert.deepEqual(outline(fold(...talk, said("m3", "research", "ab"))), [
    { "research answered": ["alice: a", "bob: b"] },
    "research: ab",
  ]);
});

test("events that only the outer team shows add no item", () => {
  const drafts = within(
    ["research"],
    { type: "run/started", task: "go", cause: "run" },
    { type: "model/asked", by: "research", purpose: "select" },
    ended("USER_INTERRUPT", "interrupted"),
    { type: "team/reset" },
    { type: "error", message: "no key", data: {} },
  );
  assert.deepEqual(fold(...drafts), []);
});

test("a nested message streams in place, and unrelated items stay the same objects", () => {
  const before = foldTimeline(
    EMPTY_TIMELINE,
    events(said("m0", "ann"), ...within(["research"], said("m1", "alice"), started("m2", "bob"))),
  );
  const after = foldTimeline(before, [{ ...chunk("m2", "bob", "Hel"), at, path: ["research"] } as TeamEvent]);
  assert.deepEqual(outline(after.items), ["ann: m0", { "research working": ["alice: m1", "bob: Hel"] }]);
  assert.equal(after.items[0], before.items[0]);
  assert.equal((after.items[1] as TeamItem).items[0], (before.items[1] as TeamItem).items[0]);
  const other = foldTimeline(after, [{ ...said("m9", "ann"), at, seq: 9 } as TeamEvent]);
  assert.equal(other.items[1], after.items[1]);
  const unseen: Draft = { type: "manager/noted", note: 1, path: ["research"] };
  assert.equal(foldTimeline(after, [{ ...unseen, at, seq: 9 } as TeamEvent]).items[1], after.items[1]);
});

test("a team nested three levels deep has an item at each level", () => {
  const items = fold(
    ...within(["a"], said("m1", "x")),
    ...within(["a", "b"], said("m2", "y")),
    ...within(["a", "b", "c"], said("m3", "z")),
    ...within(["a"], said("m4", "b")),
  );
  assert.deepEqual(outline(items), [
    { "a working": ["x: m1", { "b answered": ["y: m2", { "c stopped": ["z: m3"] }] }, "b: m4"] },
  ]);
});

test("two nested teams that work at the same time each have their own item", () => {
  const items = fold(
    ...within(["a"], started("m1", "x")),
    ...within(["b"], started("m2", "y")),
    ...within(["a"], chunk("m1", "x", "one")),
    ...within(["b"], chunk("m2", "y", "two")),
  );
  assert.deepEqual(outline(items), [{ "a working": ["x: one"] }, { "b working": ["y: two"] }]);
});

test("a nested team whose call waits for the user continues in the same item after the decision", () => {
  const asked = [...within(["research"], requested("alice", "c1"), waiting("alice", "c1")), ended("TOOL_INTERRUPT")];
  assert.deepEqual(outline(fold(...asked)), [{ "research working": ["alice: c1 waiting"] }]);
  const ruled = within(
    ["research"],
    { type: "tool/resolved", ref: "c1", how: "restart", by: "user" },
    executed("alice", "c1"),
    said("m1", "alice", "done"),
  );
  assert.deepEqual(outline(fold(...asked, ...ruled)), [{ "research working": ["alice: c1 succeeded", "alice: done"] }]);
});

test("after a pause for the user a nested team continues in a new item, and its answer closes both", () => {
  for (const pause of [ended("USER_INPUT_REQUESTED", "interrupted"), ended("spent", "interrupted", "budget")]) {
    const paused = [...within(["research"], said("m1", "alice"), pause), pause];
    assert.deepEqual(outline(fold(...paused)), [{ "research paused": ["alice: m1"] }, "runEnd"]);
    assert.deepEqual(outline(fold(...paused, ...within(["research"], said("m2", "bob")), said("m3", "research"))), [
      { "research answered": ["alice: m1"] },
      "runEnd",
      { "research answered": ["bob: m2"] },
      "research: m3",
    ]);
  }
});

test("after an interrupt a nested team continues in a new item, and a late result still reaches its call", () => {
  const items = fold(
    ...within(["research"], requested("alice", "c1"), {
      type: "tool/abandoned",
      ref: "c1",
      name: "x",
      participant: "alice",
    }),
    ...within(["research"], started("m1", "bob"), chunk("m1", "bob", "half")),
    ended("CANCELLED", "interrupted"),
    ...within(["research"], executed("alice", "c1"), said("m2", "bob", "whole")),
  );
  assert.deepEqual(outline(items), [
    { "research stopped": ["alice: c1 succeeded", "bob: half"] },
    "runEnd",
    { "research working": ["bob: whole"] },
  ]);
});

test("loading earlier events gives the same timeline as folding all events at once, wherever the page starts", () => {
  const story = events(
    selected("research"),
    ...within(["research"], said("m1", "alice"), requested("alice", "c1"), waiting("alice", "c1")),
    ended("TOOL_INTERRUPT", "interrupted"),
    ...within(["research"], { type: "tool/resolved", ref: "c1", how: "restart", by: "user" }, executed("alice", "c1")),
    ...within(["research", "deep"], said("m2", "dora")),
    ...within(["research"], said("m3", "deep")),
    said("m4", "research"),
  );
  const whole = foldTimeline(EMPTY_TIMELINE, story);
  for (let cut = 0; cut <= story.length; cut++) {
    const later = foldTimeline(EMPTY_TIMELINE, story.slice(cut));
    assert.deepEqual(prependTimeline(later, story.slice(0, cut)), whole, `cut at ${cut}`);
  }
});

test("opening a team shows streaming text and pending calls of its nested teams", () => {
  const state = initialTeamState("t", {
    name: "T",
    kind: "roundRobin",
    participants: [
      { name: "research", kind: "team", team: { name: "R", kind: "roundRobin", participants: [{ name: "alice" }] } },
    ],
  });
  const snapshot = snapshotOf(state);
  const inner = { ...snapshot.inner?.["research"], streaming: [{ messageId: "m9", source: "alice", text: "half" }] };
  const opened = timelineOf(
    {
      ...snapshot,
      pendingTools: [{ ref: "c1", name: "runCommand", participant: "alice", input: {}, path: ["research"] }],
      inner: { research: inner as typeof snapshot },
    },
    [],
  );
  const outlined = [{ "research working": ["alice: half", "alice: c1 waiting"] }];
  assert.deepEqual(outline(opened.items), outlined);
  const earlier = events(said("m1", "research", "before"));
  assert.deepEqual(outline(prependTimeline(opened, earlier).items), ["research: before", ...outlined]);
});

test("when participants speak at the same time, a thought is placed before its own participant's message", () => {
  const items = fold(started("m1", "ann"), chunk("m1", "ann", "So"), started("m2", "bob"), chunk("m2", "bob", "Well"), {
    type: "reasoning/thought",
    from: "ann",
    correlation_id: ["t"],
    message: "Hm.",
  });
  assert.deepEqual(outline(items), ["thought", "ann: So", "bob: Well"]);
});
