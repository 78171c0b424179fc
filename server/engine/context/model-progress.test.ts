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

test("a message and a batch of calls each count as an answer; those of other participants do not", () => {
  const { conversation } = progress(
    toolRequested("ann", "c1", "c2"),
    toolExecuted("c1"),
    toolExecuted("c2"),
    messageAdded("ann", "a"),
    messageAdded("bob", "b"),
  );

  assert.deepEqual(conversation, { answers: 2, partialText: "" });
});

test("the text of an interrupted answer is kept until the next complete answer", () => {
  const cut = [
    messageAdded("ann", "whole"),
    messageAdded("ann", "ha", { partial: true }),
    messageAdded("ann", "lf", { partial: true }),
  ];

  assert.deepEqual(progress(...cut).conversation, { answers: 1, partialText: "half" });
  assert.deepEqual(progress(...cut, messageAdded("ann", " done")).conversation, { answers: 2, partialText: "" });
});

test("an answer to a directed message is counted separately, and leaves an interrupted answer as it was", () => {
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

test("a message that tool calls caused is not an answer of the model", () => {
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

test("answers that are not in the thread count for their participant, for example the manager", () => {
  const transcript = after(unseen("selector"), messageAdded("ann", "a"), unseen("selector"));

  assert.equal(transcript.progressOf("selector").conversation.answers, 2);
  assert.equal(transcript.progressOf("ann").conversation.answers, 1);
});

test("a reset starts over, and a loaded state has the saved progress, including answers that are not in the thread", () => {
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
