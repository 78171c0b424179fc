import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, DurableEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { foldTimeline } from "./fold-timeline.ts";
import type { TimelineItem } from "./items.ts";
import { EMPTY_TIMELINE } from "./timeline.ts";

const at = "2026-01-01T00:00:00.000Z";
const message = (id: string, source: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  type: "TextMessage",
  source,
  content: id,
  createdAt: at,
  ...more,
});
const said = (id: string, source: string, more: Partial<ChatMessage> = {}): DurableDraft => ({
  type: "message/added",
  message: message(id, source, more),
});
const cutShort: DurableDraft = {
  type: "run/ended",
  stopReason: "USER_INTERRUPT",
  status: { code: "interrupted" },
  usage: { prompt: 0, completion: 0, total: 0 },
};
const edited = (messageId: string): DurableDraft => ({
  type: "message/edited",
  messageId,
  content: "better",
  by: "user",
});
const dropped = (messageId: string): DurableDraft => ({ type: "message/dropped", messageId, fromEnd: 1, by: "user" });
const within = (draft: DurableDraft) => ({ ...draft, path: ["research"] });

const events = (drafts: readonly (DurableDraft & { readonly path?: string[] })[]): DurableEvent[] =>
  drafts.map((draft, index) => ({ seq: index + 1, at, ...draft }));

/** The messages to be seen, those of nested teams behind the name of the team. */
const seen = (items: readonly TimelineItem[]): string[] =>
  items.flatMap((item) => {
    if (item.kind === "team") return seen(item.items).map((text) => `${item.source}/${text}`);
    return item.kind === "message"
      ? [`${item.text}${item.state === "partial" ? "…" : ""}${item.edited ? " (edited)" : ""}`]
      : [];
  });

for (const [name, place] of [
  ["a message that was cut short", (draft: DurableDraft) => draft],
  ["one in a nested team", within],
] as const) {
  const before = name === "one in a nested team" ? "research/" : "";
  const talk = [place(said("a", "ann", { partial: true })), cutShort, said("b", "bob")];

  test(`${name} is shown with its new text, in place`, () => {
    const drafts = [...talk, place(edited("a"))];
    const timeline = foldTimeline(EMPTY_TIMELINE, events(drafts));
    assert.deepEqual(seen(timeline.items), [`${before}better… (edited)`, "b"]);
    const oneByOne = events(drafts).reduce((folded, event) => foldTimeline(folded, [event]), EMPTY_TIMELINE);
    assert.deepEqual(oneByOne.items, timeline.items);
  });

  test(`${name} is no longer shown after it is removed`, () => {
    const { items } = foldTimeline(EMPTY_TIMELINE, events([...talk, place(dropped("a"))]));
    assert.deepEqual(seen(items), ["b"]);
  });
}

test("a message of a loaded state is changed too", () => {
  const state = {
    schemaVersion: 2,
    team: { name: "T", kind: "roundRobin" as const, participants: ["ann"] },
    transcript: [{ kind: "message" as const, message: message("a", "ann", { partial: true }) }],
    pendingTools: [],
    queued: [],
    openTurns: [],
    lastSpeaker: null,
    turn: 0,
    usage: { prompt: 0, completion: 0, total: 0 },
    interrupted: true,
    conditionMessages: 1,
  };

  const { items } = foldTimeline(EMPTY_TIMELINE, events([{ type: "state/loaded", state }, edited("a")]));

  assert.deepEqual(seen(items), ["better… (edited)"]);
});
