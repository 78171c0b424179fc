import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../shared/contract/condition.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { createCondition } from "./create-condition.ts";
import { ExternalCondition } from "./external-condition.ts";
import { ConditionFired, type ConditionInput } from "./termination-condition.ts";

const said = (source: string, content: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id: `${source}-${content}`,
  type: "TextMessage",
  source,
  content,
  createdAt: "2026-01-01T00:00:00.000Z",
  ...more,
});
const ran = (name: string): ConditionInput => ({ type: "ToolExecution", name, isError: false });
const spent = (prompt: number, completion: number): ConditionInput =>
  said("ann", "x", { usage: { prompt, completion, total: prompt + completion } });

/** Each: a condition, input that does not make it fire, input that then does, and its stop reason. */
const table: readonly (readonly [Condition, readonly ConditionInput[], ConditionInput, string])[] = [
  [
    { maxMessages: 3 },
    [said("user", "a"), said("ann", "b")],
    said("bob", "c"),
    "Maximum number of messages 3 reached, current message count: 3",
  ],
  [{ textMention: { text: "DONE" } }, [said("ann", "done")], said("bob", "all DONE."), "Text 'DONE' mentioned"],
  [{ stopMessage: true }, [said("ann", "stop")], said("bob", "", { type: "StopMessage" }), "Stop message received"],
  [
    { tokenUsage: { total: 100 } },
    [spent(40, 20)],
    spent(30, 10),
    "Token usage limit reached, total: 100, prompt: 70, completion: 30",
  ],
  [
    { tokenUsage: { completion: 30 } },
    [spent(400, 29)],
    spent(0, 1),
    "Token usage limit reached, total: 430, prompt: 400, completion: 30",
  ],
  [
    { tokenUsage: { prompt: 10 } },
    [spent(9, 900)],
    spent(1, 0),
    "Token usage limit reached, total: 910, prompt: 10, completion: 900",
  ],
  [
    { handoff: { target: "user" } },
    [said("ann", "user"), said("ann", "to bob", { type: "HandoffMessage", metadata: { target: "bob" } })],
    said("ann", "to user", { type: "HandoffMessage", metadata: { target: "user" } }),
    "Handoff to user from ann detected.",
  ],
  [{ sourceMatch: { sources: ["bob", "cyd"] } }, [said("ann", "bob")], said("cyd", "x"), "'cyd' answered"],
  [
    { textMessage: {} },
    [said("ann", "x", { type: "ToolCallSummaryMessage" })],
    said("ann", "x"),
    "Text message received from 'ann'",
  ],
  [{ textMessage: { source: "bob" } }, [said("ann", "x")], said("bob", "x"), "Text message received from 'bob'"],
  [{ functionCall: { name: "pay" } }, [ran("look"), said("ann", "pay")], ran("pay"), "Function 'pay' was executed."],
];

for (const [definition, before, last, reason] of table) {
  test(`${JSON.stringify(definition)} fires when it should and no sooner, throws until reset, and then counts again`, () => {
    const condition = createCondition(definition);

    assert.equal(condition.check(before), null);
    assert.equal(condition.fired, false);
    assert.equal(condition.check([last]), reason);
    assert.equal(condition.fired, true);
    assert.throws(() => condition.check([]), ConditionFired);
    condition.reset();
    assert.equal(condition.check(before), null);
    assert.equal(condition.check([last]), reason);
  });
}

test("messages count and events do not", () => {
  const condition = createCondition({ maxMessages: 2 });

  assert.equal(condition.check([said("ann", "a"), ran("look"), ran("look")]), null);
  assert.match(condition.check([said("bob", "b")]) ?? "", /^Maximum number of messages 2 reached/);
});

test("textMention only matches its sources", () => {
  const condition = createCondition({ textMention: { text: "DONE", sources: ["bob"] } });

  assert.equal(condition.check([said("ann", "DONE"), said("user", "DONE")]), null);
  assert.equal(condition.check([said("bob", "DONE")]), "Text 'DONE' mentioned");
});

test("textMention matches the text of messages with several parts", () => {
  const condition = createCondition({ textMention: { text: "DONE" } });
  const parts = said("ann", "", { type: "MultiModalMessage", content: [{ type: "text", text: "DONE" }] });

  assert.equal(condition.check([parts]), "Text 'DONE' mentioned");
});

test("timeout fires at the first check after its seconds, counted from its reset", (t) => {
  let now = 1_000;
  t.mock.method(performance, "now", () => now);
  const condition = createCondition({ timeout: { seconds: 5 } });

  assert.equal(condition.check([]), null);
  now += 4_999;
  assert.equal(condition.check([]), null);
  now += 1;
  assert.equal(condition.check([]), "Timeout of 5 seconds reached");
  assert.throws(() => condition.check([]), ConditionFired);
  condition.reset();
  now += 4_999;
  assert.equal(condition.check([]), null);
  now += 1;
  assert.equal(condition.check([]), "Timeout of 5 seconds reached");
});

test("external fires at the next check after it was set", () => {
  const condition = new ExternalCondition();

  assert.equal(condition.check(), null);
  condition.setExternal(true);
  assert.equal(condition.fired, false);
  assert.equal(condition.check(), "External termination requested");
  assert.throws(() => condition.check(), ConditionFired);
  condition.reset();
  assert.equal(condition.check(), null);
  assert.equal(createCondition({ external: true }).check([said("ann", "x")]), null);
});

test("a condition without a kind is an error", () => {
  assert.throws(() => createCondition({}), /exactly one key/);
});
