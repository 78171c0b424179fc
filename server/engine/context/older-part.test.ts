import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextSummary } from "../../../shared/contract/context.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { olderPart } from "./older-part.ts";
import { type ResultEntry, TranscriptGroups } from "./transcript-groups.ts";
import { unbounded } from "./unbounded.ts";

const said = (id: string, source: string, more: { readonly partial?: true } = {}): TranscriptEntry => ({
  kind: "message",
  message: {
    id,
    type: "TextMessage",
    source,
    content: `${id} ${"word ".repeat(100)}`,
    createdAt: "",
    ...more,
  } as never,
});
const called = (ref: string): TranscriptEntry => ({
  kind: "calls",
  participant: "ann",
  calls: [{ ref, name: "look", input: {} }],
});
const result = (ref: string): ResultEntry => ({ kind: "result", ref, output: "seen", isError: false });

function groupsOf(entries: readonly TranscriptEntry[], summary?: ContextSummary): TranscriptGroups {
  const results = new Map(entries.flatMap((entry) => (entry.kind === "result" ? [[entry.ref, entry] as const] : [])));
  const open = new Map(
    entries.flatMap((entry, at) =>
      entry.kind === "calls" ? entry.calls.flatMap(({ ref }) => (results.has(ref) ? [] : [[ref, at] as const])) : [],
    ),
  );
  return new TranscriptGroups({ entries, results, open }, "ann", summary);
}

/** Of no end but the last group, and of any size. */
const ALL = { kept: 1, atMost: 1_000_000 };

test("the older part ends before the end that is kept, and calls stay with results that came later", () => {
  const entries = [said("m1", "user"), called("c1"), said("m2", "bob"), result("c1"), said("m3", "ann")];
  const part = olderPart(groupsOf(entries), ALL);

  assert.deepEqual(part?.through, { messageId: "m2" });
  assert.equal(conversationProblem(part.items), undefined);
  const left = unbounded(groupsOf(entries, { text: "s", through: part.through }));
  assert.equal(conversationProblem(left), undefined);
  assert.equal(left.length, 2);
  assert.deepEqual(olderPart(groupsOf(entries.slice(0, 4)), ALL)?.through, { ref: "c1" });
});

test("a call that waits for the user, and what comes after it, is not part of it", () => {
  const entries = [said("m1", "user"), said("m2", "bob"), called("c1"), said("m3", "user"), said("m4", "ann")];
  assert.deepEqual(olderPart(groupsOf(entries), ALL)?.through, { messageId: "m2" });
  assert.equal(olderPart(groupsOf(entries.slice(2)), ALL), undefined);
});

test("it does not end with a partial message, which the user may still edit or remove", () => {
  const entries = [said("m1", "user"), said("m2", "ann", { partial: true }), said("m3", "user")];
  assert.deepEqual(olderPart(groupsOf(entries), ALL)?.through, { messageId: "m1" });
});

test("of a long conversation it is as much as fits, and begins with the summary before", () => {
  const entries = ["m1", "m2", "m3", "m4", "m5"].map((id) => said(id, "user"));
  const first = olderPart(groupsOf(entries), { kept: 1, atMost: 300 });
  assert.deepEqual(first?.through, { messageId: "m2" });

  const summary = { text: "so far", through: first.through };
  const second = olderPart(groupsOf(entries, summary), ALL);
  assert.deepEqual(second?.through, { messageId: "m4" });
  assert.match(String(second.items[0]?.role === "user" && second.items[0].content), /so far$/);
  assert.equal(second.items.length, 3);
  // One message that is larger than what fits is taken all the same, and nothing but the summary is not.
  assert.deepEqual(olderPart(groupsOf(entries, summary), { kept: 1, atMost: 1 })?.through, { messageId: "m3" });
  assert.equal(olderPart(groupsOf(entries, { text: "s", through: { messageId: "m4" } }), ALL), undefined);
});
