import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, DurableEvent } from "../../shared/contract/event.ts";
import { decisionText } from "../common/decision-text.ts";
import { callOrigin } from "./call-origin.ts";

const eventsOf = (...drafts: readonly DurableDraft[]): DurableEvent[] =>
  drafts.map((draft, index) => ({ ...draft, seq: index + 1, at: "2026-01-01T00:00:00.000Z" }));

const requested: DurableDraft = {
  type: "tool/requested",
  participant: "ed",
  calls: [
    { ref: "a", name: "writeFile", input: {} },
    { ref: "b", name: "editFile", input: {} },
  ],
};

const told = (events: readonly DurableEvent[], ref: string): string | undefined => {
  const origin = callOrigin(events, ref);
  return origin && `${origin.name}: ${decisionText(origin, (by) => (by === "user" ? "you" : by)) ?? "not decided"}`;
};

test("a call's events tell its tool, and who let it run", () => {
  const events = eventsOf(
    requested,
    { type: "tool/resolved", ref: "a", how: "restart", by: "user" },
    { type: "tool/started", ref: "a" },
    { type: "tool/started", ref: "b", approved: { reason: "edits in src are allowed" } },
  );
  assert.equal(told(events, "a"), "writeFile: Approved by you");
  assert.equal(told(events, "b"), "editFile: Approved by a rule: edits in src are allowed");
  assert.equal(told(eventsOf(requested), "b"), "editFile: not decided");
  assert.equal(told(events.slice(1), "a"), undefined);
});

test("a decision with another input says so", () => {
  const events = eventsOf(requested, { type: "tool/resolved", ref: "b", how: "restart", by: "lead", input: {} });
  assert.equal(told(events, "b"), "editFile: Approved by lead, with edited input");
});
