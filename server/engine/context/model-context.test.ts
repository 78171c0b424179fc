import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { ContextItem } from "../model.ts";
import { Transcript } from "../run/transcript.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { seededRandom } from "../testing/random.ts";
import { numbered, randomConversation } from "../testing/random-conversation.ts";
import { AWAITING_DECISION, groupItems } from "./item-groups.ts";
import { contextItems } from "./model-context.ts";

const TALKS = 60;

const contexts: readonly ContextDefinition[] = [
  { kind: "unbounded" },
  { kind: "buffered" },
  ...[1, 2, 3, 7].map((size) => ({ kind: "buffered" as const, size })),
  { kind: "headAndTail" },
  { kind: "headAndTail", size: 4 },
  ...[1, 2, 5].flatMap((head) => [1, 3].map((tail) => ({ kind: "headAndTail" as const, head, tail }))),
  { kind: "tokenLimited" },
  ...[1, 30, 120, 400].map((size) => ({ kind: "tokenLimited" as const, size })),
];

const isMark = (item: ContextItem): boolean => item.role === "user" && item.source === "system";
const waitingIn = (items: readonly ContextItem[]): string[] =>
  items.flatMap((item) => (item.role === "tool" && item.output === AWAITING_DECISION ? [item.ref] : []));

/** What each context shows of random conversations. */
function* shrunken() {
  for (let seed = 0; seed < TALKS; seed++) {
    const draw = seededRandom(seed);
    const conversation = numbered(randomConversation(draw, 5 + draw(40)));
    const transcript = new Transcript(() => conversation);
    const whole = transcript.itemsFor("ann", undefined);
    for (const context of contexts) {
      const where = `seed ${seed}, ${JSON.stringify(context)}`;
      yield { where, context, draw, conversation, whole, items: transcript.itemsFor("ann", context) };
    }
  }
}

test("whatever the context and the conversation, the result is a valid conversation", () => {
  for (const { items, where } of shrunken()) assert.equal(conversationProblem(items), undefined, where);
});

test("no context drops a call that waits for the user", () => {
  let waiting = 0;
  for (const { items, whole, where } of shrunken()) {
    assert.deepEqual(waitingIn(items), waitingIn(whole), where);
    waiting += waitingIn(whole).length;
  }
  assert.ok(waiting > 100);
});

test("kept items are in the order of the conversation, and the last message is always kept", () => {
  for (const { items, whole, where } of shrunken()) {
    const texts = whole.map((item) => JSON.stringify(item));
    const kept = items.filter((item) => !isMark(item)).map((item) => texts.indexOf(JSON.stringify(item)));
    assert.deepEqual(
      kept,
      kept.toSorted((a, b) => a - b),
      where,
    );
    assert.ok(!kept.includes(-1), where);
    if (whole.length > 0) assert.deepEqual(items.at(-1), whole.at(-1), where);
  }
});

test("a context of the result plus later items equals the context of the whole", () => {
  for (const { context, draw, conversation, where } of shrunken()) {
    // Results that come later change what was shown, so the second part is what one turn adds.
    const cut = draw(conversation.length);
    const before = new Transcript(() => conversation.slice(0, cut)).itemsFor("ann", undefined);
    const after: ContextItem[] = [
      { role: "assistant", content: "I look.", calls: [{ ref: "own", name: "look", input: {} }] },
      { role: "tool", ref: "own", name: "look", output: "seen", isError: false },
    ];
    const shown = contextItems(groupItems(before), context);
    assert.equal(conversationProblem(shown), undefined, where);

    assert.deepEqual(
      contextItems(groupItems([...shown, ...after]), context),
      contextItems(groupItems([...before, ...after]), context),
      where,
    );
  }
});

test("unbounded, or without a context, everything is shown", () => {
  for (const { context, items, whole, where } of shrunken()) {
    if (context.kind === "unbounded") assert.deepEqual(items, whole, where);
  }
});
