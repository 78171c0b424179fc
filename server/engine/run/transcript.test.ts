import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { messageAdded, numbered, summarize, toolExecuted, toolRequested } from "../testing/random-conversation.ts";
import { Transcript } from "./transcript.ts";

const transcriptOf = (...drafts: readonly DurableDraft[]): Transcript => new Transcript(() => numbered(drafts));

test("each participant sees its own messages as assistant messages, and those of others with their names", () => {
  const transcript = transcriptOf(messageAdded("user", "hello"), messageAdded("ann", "a"), messageAdded("bob", "b"));

  assert.deepEqual(summarize(transcript.itemsFor("ann", undefined)), ["user: hello", "me: a", "bob: b"]);
  assert.deepEqual(summarize(transcript.itemsFor("bob", undefined)), ["user: hello", "ann: a", "me: b"]);
});

test("events that came before the history was read are in it once, whether or not they were stored by then", () => {
  const [first, second, third] = numbered([
    messageAdded("user", "t"),
    messageAdded("ann", "a"),
    messageAdded("bob", "b"),
  ]);
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  const transcript = new Transcript(() => [first, second]);
  transcript.apply(second);
  transcript.apply(third);

  assert.deepEqual(
    transcript.messages.map(({ source }) => source),
    ["user", "ann", "bob"],
  );
});

test("calls and their results are shown only to the participant that made them", () => {
  const transcript = transcriptOf(
    messageAdded("user", "t"),
    toolRequested("ann", "c1"),
    toolExecuted("c1"),
    messageAdded("ann", "a"),
  );

  assert.deepEqual(summarize(transcript.itemsFor("ann", undefined)), ["user: t", "ask c1", "c1 -> out c1", "me: a"]);
  assert.deepEqual(summarize(transcript.itemsFor("bob", undefined)), ["user: t", "ann: a"]);
});

test("results are in the order of the calls whenever they come, even after others have spoken", () => {
  const transcript = transcriptOf(
    toolRequested("ann", "c1", "c2", "c3"),
    toolExecuted("c3"),
    messageAdded("bob", "meanwhile"),
    toolExecuted("c1"),
    messageAdded("ann", "a"),
    toolExecuted("c2"),
  );

  const items = transcript.itemsFor("ann", undefined);
  assert.equal(conversationProblem(items), undefined);
  assert.deepEqual(summarize(items), [
    "ask c1 c2 c3",
    "c1 -> out c1",
    "c2 -> out c2",
    "c3 -> out c3",
    "bob: meanwhile",
    "me: a",
  ]);
});

test("a call without a result is shown with one that says it waits", () => {
  const items = transcriptOf(toolRequested("ann", "c1", "c2"), toolExecuted("c2")).itemsFor("ann", undefined);

  assert.equal(conversationProblem(items), undefined);
  const [, first] = items;
  assert.deepEqual(first, {
    role: "tool",
    ref: "c1",
    name: "tool-c1",
    output: "This call is waiting for the user's decision and has not run yet.",
    isError: true,
  });
});

test("outputs of false, 0, empty text and null are kept as they are", () => {
  const outputs = [false, 0, "", null];
  const refs = outputs.map((_, at) => `c${at}`);
  const transcript = transcriptOf(
    toolRequested("ann", ...refs),
    ...outputs.map((output, at) => toolExecuted(`c${at}`, output)),
  );

  const shown = transcript.itemsFor("ann", undefined).flatMap((item) => (item.role === "tool" ? [item.output] : []));

  assert.deepEqual(shown, outputs);
});

test("a partial is marked as partial, and a directed message with its target", () => {
  const transcript = transcriptOf(
    messageAdded("ann", "half", { partial: true }),
    messageAdded("user", "bob?", { type: "UserTextMessage", metadata: { to: "bob" } }),
  );

  assert.deepEqual(transcript.itemsFor("ann", undefined), [
    { role: "assistant", content: "half", calls: [], partial: true },
    { role: "user", source: "user", content: "bob?", directedTo: "bob" },
  ]);
});

test("a buffered context of any size shows the last items, and never splits a call from its result or drops a pending call", () => {
  const transcript = transcriptOf(
    messageAdded("user", "1"),
    toolRequested("ann", "c1", "c2"),
    toolExecuted("c2"),
    messageAdded("bob", "2"),
    toolRequested("ann", "c3"),
    toolExecuted("c1"),
    messageAdded("ann", "3"),
    toolExecuted("c3"),
    toolRequested("ann", "c4", "c5"),
    toolExecuted("c5"),
  );
  const whole = transcript.itemsFor("ann", undefined);

  for (let size = 1; size <= whole.length + 2; size++) {
    const items = transcript.itemsFor("ann", { kind: "buffered", size });
    assert.equal(conversationProblem(items), undefined, `size ${size}`);
    assert.deepEqual(items, whole.slice(-items.length), `size ${size}`);
    assert.ok(items.length >= Math.min(size, whole.length), `size ${size}`);
    assert.ok(summarize(items).includes("ask c4 c5"), `size ${size}: the pending call is there`);
  }
});

test("a reset empties it, and a loaded state replaces it", () => {
  const transcript = transcriptOf(messageAdded("user", "old"), toolRequested("ann", "c1"));
  assert.equal(transcript.entries.length, 2);

  transcript.apply({ seq: 3, at: "", type: "team/reset" });

  assert.deepEqual([transcript.entries, transcript.messages], [[], []]);
});

test("it is the same whether its events were read from the history or applied one by one", () => {
  const drafts = [messageAdded("user", "1"), toolRequested("ann", "c1"), toolExecuted("c1"), messageAdded("ann", "2")];
  const grown = new Transcript();
  for (const event of numbered(drafts)) grown.apply(event);

  assert.deepEqual(grown.entries, transcriptOf(...drafts).entries);
  assert.deepEqual(
    grown.messages.map(({ content }) => content),
    ["1", "2"],
  );
});

test("an event that comes before the history was read is contained once", () => {
  const kept = numbered([messageAdded("user", "1")]);
  const transcript = new Transcript(() => kept);
  const [next] = numbered([messageAdded("ann", "2")]);
  assert.ok(next);
  kept.push(next);
  transcript.apply(next);

  assert.deepEqual(
    transcript.messages.map(({ content }) => content),
    ["1", "2"],
  );
});

test("after a restart conditions count the last messages again, and the tools that ran among them", () => {
  const transcript = transcriptOf(
    messageAdded("user", "1"),
    toolRequested("ann", "c1"),
    toolExecuted("c1"),
    messageAdded("ann", "2"),
    messageAdded("bob", "3"),
  );
  const shown = (count: number): string[] =>
    transcript
      .conditionInput(count)
      .map((input) => (input.type === "ToolExecution" ? input.name : `${"content" in input && input.content}`));

  assert.deepEqual(shown(0), []);
  assert.deepEqual(shown(2), ["2", "3"]);
  assert.deepEqual(shown(3), ["1", "tool-c1", "2", "3"]);
});

const began = (id: string, from = "ann"): DurableDraft => ({ type: "reasoning/start", id, from, input: "" });
const ended = (id: string, from = "ann"): DurableDraft => ({
  type: "reasoning/conclusion",
  from,
  correlation_id: [id],
});
const steps = (transcript: Transcript, turnId: string): string[] =>
  transcript
    .stepsOf("ann", turnId)
    .map(
      ({ calls, earlier }) =>
        `${calls.map(({ ref, output }) => `${ref}: ${output}`).join(", ")}${earlier ? " (earlier)" : ""}`,
    );

test("the steps of a turn are its own calls with their results, also while others speak", () => {
  const transcript = transcriptOf(
    began("t1"),
    toolRequested("ann", "c1"),
    toolExecuted("c1"),
    messageAdded("ann", "done"),
    ended("t1"),
    began("t2"),
    toolRequested("ann", "c2", "c3"),
    toolExecuted("c3"),
    toolRequested("bob", "b1"),
    messageAdded("bob", "meanwhile"),
    toolExecuted("c2"),
    toolRequested("ann", "c4"),
    toolExecuted("c4"),
  );

  assert.deepEqual(steps(transcript, "t2"), ["c2: out c2, c3: out c3", "c4: out c4"]);
});

test("a turn after an interrupted one starts with its steps, unless someone spoke in between", () => {
  const cut = [
    messageAdded("user", "t"),
    began("t1"),
    toolRequested("ann", "c1"),
    toolExecuted("c1"),
    messageAdded("ann", "I s", { partial: true }),
  ];

  assert.deepEqual(steps(transcriptOf(...cut, ended("t1"), began("t2")), "t2"), ["c1: out c1 (earlier)"]);
  assert.deepEqual(steps(transcriptOf(...cut, ended("t1"), messageAdded("user", "Stop that."), began("t2")), "t2"), []);
  assert.deepEqual(steps(transcriptOf(...cut, ended("t1"), began("t2"), messageAdded("user", "Stop that.")), "t2"), []);
  assert.deepEqual(steps(transcriptOf(...cut, ended("t1"), messageAdded("ann", "whole"), began("t2")), "t2"), []);
});

test("an open turn of a loaded state has its steps", () => {
  const drafts = [
    messageAdded("ann", "before"),
    toolRequested("ann", "c1", "c2"),
    toolExecuted("c1"),
    messageAdded("bob", "meanwhile"),
    toolExecuted("c2"),
  ];
  const state = {
    transcript: [...transcriptOf(...drafts).entries],
    openTurns: [{ id: "t1", participant: "ann" }],
  };
  const loaded = new Transcript();
  loaded.apply({ seq: 1, at: "", type: "state/loaded", state: { ...NO_STATE, ...state } });

  assert.deepEqual(steps(loaded, "t1"), ["c1: out c1, c2: out c2"]);
});

const NO_STATE: SavedState = {
  schemaVersion: 2,
  team: { name: "Test", kind: "roundRobin", participants: ["ann", "bob"] },
  transcript: [],
  pendingTools: [],
  queued: [],
  openTurns: [],
  lastSpeaker: null,
  turn: 0,
  usage: { prompt: 0, completion: 0, total: 0 },
  interrupted: false,
  conditionMessages: 0,
};

test("a handoff shows its target the tool results as text of the participant that handed over, and the others only its message", () => {
  const context = [
    { name: "look", input: { at: "a" }, output: "seen", isError: false },
    { name: "fail", input: {}, output: "no such thing", isError: true },
  ];
  const metadata = { target: "bob", context };
  const transcript = transcriptOf(
    toolRequested("ann", "c1"),
    toolExecuted("c1", "Over to bob."),
    messageAdded("ann", "Over to bob.", { type: "HandoffMessage", metadata }),
  );

  assert.deepEqual(transcript.itemsFor("bob", undefined), [
    {
      role: "user",
      source: "ann",
      content:
        'Over to bob.\n\nTool calls that ann made before the handoff:\n\nlook({"at":"a"}) returned:\nseen\n\nfail({}) failed:\nno such thing',
    },
  ]);
  assert.deepEqual(summarize(transcript.itemsFor("cy", undefined)), ["ann: Over to bob."]);
  assert.deepEqual(summarize(transcript.itemsFor("ann", undefined)), ["ask c1", "c1 -> Over to bob."]);
});

test("a structured answer is shown as JSON", () => {
  const transcript = transcriptOf(
    messageAdded("ann", "", { type: "StructuredMessage", content: { age: 3 } }),
    messageAdded("ann", "", { type: "StructuredMessage", content: { value: [1, 2] }, metadata: { wrapped: true } }),
  );

  assert.deepEqual(summarize(transcript.itemsFor("ann", undefined)), ['me: {"age":3}', "me: [1,2]"]);
  assert.deepEqual(summarize(transcript.itemsFor("bob", undefined)), ['ann: {"age":3}', "ann: [1,2]"]);
});
