import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft } from "../../../shared/contract/event.ts";
import { Transcript } from "../run/transcript.ts";
import { messageAdded, numbered, toolExecuted, toolRequested } from "../testing/random-conversation.ts";
import { NO_PROGRESS } from "./model-progress.ts";

const after = (...drafts: readonly DurableDraft[]) => new Transcript(() => numbered(drafts));
const progress = (...drafts: readonly DurableDraft[]) => after(...drafts).progressOf("ann");
const question = (to: string) => messageAdded("user", `${to}?`, { type: "UserTextMessage", metadata: { to } });
const unseen = (by: string): DurableDraft => ({ type: "model/asked", by, purpose: "select" });

test("a message and a batch of calls are an answer each, those of others are not counted", () => {
  const { conversation } = progress(
    toolRequested("ann", "c1", "c2"),
    toolExecuted("c1"),
    toolExecuted("c2"),
    messageAdded("ann", "a"),
    messageAdded("bob", "b"),
  );

  assert.deepEqual(conversation, { answers: 2, partialText: "" });
});

test("what was interrupted is what was said of the next answer, until there is that answer", () => {
  const cut = [
    messageAdded("ann", "whole"),
    messageAdded("ann", "ha", { partial: true }),
    messageAdded("ann", "lf", { partial: true }),
  ];

  assert.deepEqual(progress(...cut).conversation, { answers: 1, partialText: "half" });
  assert.deepEqual(progress(...cut, messageAdded("ann", " done")).conversation, { answers: 2, partialText: "" });
});

test("an answer to a message for it alone is counted apart, and leaves what it was saying as it was", () => {
  const cut = messageAdded("ann", "ha", { partial: true });

  assert.equal(progress(cut, question("ann")).isDirected, true);
  const { conversation, directed, isDirected } = progress(
    cut,
    question("ann"),
    toolRequested("ann", "c1"),
    toolExecuted("c1"),
    messageAdded("ann", "b"),
  );
  assert.deepEqual(
    [conversation, directed, isDirected],
    [{ answers: 0, partialText: "ha" }, { answers: 2, partialText: "" }, false],
  );
  assert.equal(progress(question("ann"), messageAdded("ann", "b", { partial: true })).isDirected, true);
  assert.equal(progress(question("bob")).isDirected, false);
});

test("the end of a turn that its calls have brought about is no answer of the model", () => {
  const { conversation } = progress(
    toolRequested("ann", "c1"),
    toolExecuted("c1"),
    messageAdded("ann", "over to bob", { type: "HandoffMessage" }),
    toolRequested("ann", "c2"),
    toolExecuted("c2"),
    messageAdded("ann", "c2 gave that", { type: "ToolCallSummaryMessage" }),
  );

  assert.equal(conversation.answers, 2);
});

test("answers that are not in the thread count for the participant that gave them: the manager, say", () => {
  const transcript = after(unseen("selector"), messageAdded("ann", "a"), unseen("selector"));

  assert.equal(transcript.progressOf("selector").conversation.answers, 2);
  assert.equal(transcript.progressOf("ann").conversation.answers, 1);
});

test("a reset starts over, and a loaded state has what was saved, answers that are not in the thread among it", () => {
  const drafts = [messageAdded("ann", "a"), unseen("selector"), messageAdded("bob", "b")];
  assert.deepEqual(progress(...drafts, { type: "team/reset" }), NO_PROGRESS);

  const loaded = new Transcript();
  const state = {
    schemaVersion: 2,
    team: { name: "Test", kind: "selector" as const, participants: ["ann", "bob"] },
    transcript: [...after(...drafts).entries],
    pendingTools: [],
    queued: [],
    openTurns: [],
    lastSpeaker: null,
    turn: 0,
    usage: { prompt: 0, completion: 0, total: 0 },
    interrupted: false,
    conditionMessages: 0,
    asked: { selector: 1 },
  };
  loaded.apply({ seq: 1, at: "", type: "state/loaded", state });
  assert.equal(loaded.progressOf("ann").conversation.answers, 1);
  assert.equal(loaded.progressOf("selector").conversation.answers, 1);
});
