import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../shared/contract/condition.ts";
import { createCondition } from "./create-condition.ts";
import { FunctionCondition } from "./function-condition.ts";
import type { ConditionInput } from "./termination-condition.ts";

const usage = { prompt: 6, completion: 4, total: 10, cost: 0.25 };
const said = (content: string): ConditionInput => ({
  id: content,
  type: "TextMessage",
  source: "ann",
  content,
  createdAt: "2026-01-01T00:00:00.000Z",
  usage,
});

const progressOf = (
  definition: Condition,
  asked: readonly ConditionInput[],
  unasked: readonly ConditionInput[] = [],
) => {
  const condition = createCondition(definition);
  condition.check(asked);
  const before = condition.describe?.([]);
  const reports = condition.describe?.(unasked) ?? [];
  assert.deepEqual(condition.describe?.([]), before, "describing changes nothing");
  return reports.map(({ progress, fired }) => `${progress}${fired ? "!" : ""}`).join("; ");
};

const rows: readonly (readonly [Condition, string, string])[] = [
  [{ maxMessages: 3 }, "1 of 3 messages", "2 of 3 messages"],
  [{ maxMessages: 2 }, "1 of 2 messages", "Maximum number of messages 2 reached, current message count: 2!"],
  [{ textMention: { text: "two" } }, "not yet", "Text 'two' mentioned!"],
  [{ stopMessage: true }, "not yet", "not yet"],
  [
    { tokenUsage: { total: 50, prompt: 40 } },
    "10 of 50 tokens, 6 of 40 prompt tokens",
    "20 of 50 tokens, 12 of 40 prompt tokens",
  ],
  [{ handoff: { target: "bob" } }, "not yet", "not yet"],
  [{ external: true }, "not requested", "not requested"],
  [{ sourceMatch: { sources: ["bob"] } }, "not yet", "not yet"],
  [{ textMessage: { source: "bob" } }, "not yet", "not yet"],
  [{ functionCall: { name: "pay" } }, "not yet", "not yet"],
  [
    { budget: { tokens: 50, cost: 1 } },
    "10 tokens of 50 tokens, $0.2500 of $1.0000",
    "20 tokens of 50 tokens, $0.5000 of $1.0000",
  ],
  [
    { all: [{ maxMessages: 2 }, { external: true }] },
    "1 of 2 messages; not requested",
    "Maximum number of messages 2 reached, current message count: 2!; not requested",
  ],
];

for (const [definition, after, later] of rows) {
  test(`${JSON.stringify(definition)} describes its progress, including what it was not checked with yet`, () => {
    assert.equal(progressOf(definition, [said("one")]), after);
    assert.equal(progressOf(definition, [said("one")], [said("two")]), later);
  });
}

test("a timeout reports how many of its seconds have passed, and a function whether it has fired", () => {
  assert.equal(progressOf({ timeout: { seconds: 60 } }, []), "0 of 60 seconds");
  assert.deepEqual(
    new FunctionCondition(() => false).describe().map(({ kind, fired }) => [kind, fired]),
    [["function", false]],
  );
});

test("a condition that has fired reports its stop reason", () => {
  const condition = createCondition({ maxMessages: 1 });
  const reason = condition.check([said("one")]);

  assert.deepEqual(
    condition.describe?.([said("two")]).map(({ progress, fired }) => [progress, fired]),
    [[reason, true]],
  );
});
