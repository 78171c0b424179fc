import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../shared/contract/condition.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { createCondition } from "./create-condition.ts";
import { ConditionFired } from "./termination-condition.ts";

const said = (content: string, source = "ann"): ChatMessage => ({
  id: content,
  type: "TextMessage",
  source,
  content,
  createdAt: "2026-01-01T00:00:00.000Z",
});
const mentions = (text: string): Condition => ({ textMention: { text } });
const mentioned = (text: string): string => `Text '${text}' mentioned`;

test("any fires with the first of its conditions, and throws until it is reset", () => {
  const condition = createCondition({ any: [mentions("A"), mentions("B")] });

  assert.equal(condition.check([said("x")]), null);
  assert.equal(condition.check([said("B")]), mentioned("B"));
  assert.equal(condition.fired, true);
  assert.throws(() => condition.check([said("A")]), ConditionFired);
  condition.reset();
  assert.equal(condition.check([said("A")]), mentioned("A"));
});

test("any names every condition that fired at the same time", () => {
  const condition = createCondition({ any: [mentions("A"), mentions("B"), mentions("C")] });

  assert.equal(condition.check([said("A C")]), `${mentioned("A")}, ${mentioned("C")}`);
});

test("all fires when each of its conditions has fired at some time, and throws until it is reset", () => {
  const condition = createCondition({ all: [mentions("A"), mentions("B")] });

  assert.equal(condition.check([said("B")]), null);
  assert.equal(condition.check([said("B")]), null, "a part that has fired already is not asked again");
  assert.equal(condition.fired, false);
  assert.equal(condition.check([said("A")]), `${mentioned("B")}, ${mentioned("A")}`);
  assert.throws(() => condition.check([]), ConditionFired);
  condition.reset();
  assert.equal(condition.check([said("A")]), null, "a reset forgets the parts that had fired");
  assert.equal(condition.check([said("B")]), `${mentioned("A")}, ${mentioned("B")}`);
});

test("any and all can be nested in each other", () => {
  const condition = createCondition({
    any: [
      { all: [mentions("A"), { any: [mentions("B"), mentions("C")] }] },
      { all: [{ maxMessages: 3 }, mentions("D")] },
    ],
  });

  assert.equal(condition.check([said("D")]), null);
  assert.equal(condition.check([said("C")]), null);
  const max = "Maximum number of messages 3 reached, current message count: 3";
  assert.equal(condition.check([said("A")]), `${mentioned("C")}, ${mentioned("A")}, ${mentioned("D")}, ${max}`);
  condition.reset();
  assert.equal(condition.check([said("A"), said("B")]), `${mentioned("A")}, ${mentioned("B")}`);
});

test("a condition in all keeps its count while the others have not fired", () => {
  const condition = createCondition({ all: [{ maxMessages: 2 }, mentions("A")] });

  assert.equal(condition.check([said("x")]), null);
  assert.equal(condition.check([said("y")]), null);
  assert.match(condition.check([said("A")]) ?? "", /current message count: 2, Text 'A' mentioned$/);
});

test("an external condition can be set wherever it is nested, and cleared again", () => {
  const condition = createCondition({ all: [{ any: [{ external: true }] }, { maxMessages: 2 }] });

  condition.setExternal?.(true);
  condition.setExternal?.(false);
  assert.equal(condition.check([said("ann", "x"), said("ann", "y")]), null);
  condition.setExternal?.(true);

  const reason = condition.check([]);

  assert.match(reason ?? "", /Maximum number of messages 2 reached.*External termination requested/);
});
