import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { DurableDraft, DurableEvent } from "../../../shared/contract/event.ts";
import { sizeOf } from "../context/context-totals.ts";
import { OMISSION } from "../context/head-and-tail.ts";
import type { RecentHistory } from "../log/history.ts";
import { HistoryTotals } from "../log/history-totals.ts";
import { seededRandom } from "../testing/random.ts";
import {
  messageAdded,
  numbered,
  randomConversation,
  toolExecuted,
  toolRequested,
} from "../testing/random-conversation.ts";
import { Transcript } from "./transcript.ts";

const contexts: readonly (ContextDefinition | undefined)[] = [
  undefined,
  { kind: "unbounded" },
  ...[1, 4, 30].map((size) => ({ kind: "buffered" as const, size })),
  ...[1, 40, 900].map((size) => ({ kind: "tokenLimited" as const, size })),
  { kind: "headAndTail", head: 1, tail: 3 },
  { kind: "headAndTail", head: 6, tail: 20 },
];

/** The end of a history in segments, with totals that went through JSON, as a store keeps them. */
function recentOf(events: readonly DurableEvent[], segment: number): RecentHistory | undefined {
  const until = Math.floor(events.length / segment) * segment;
  if (until === 0) return undefined;
  const counted = new HistoryTotals();
  for (const event of events.slice(0, until)) counted.add(event);
  return {
    totals: new HistoryTotals(JSON.parse(JSON.stringify(counted))),
    until,
    after: until - segment,
    events: events.slice(until - segment, until),
    later: events.slice(until),
    from: (seq) => {
      const at = Math.floor(Math.max(0, seq - 1) / segment) * segment;
      return events.slice(at, at + segment);
    },
  };
}

/** What the inspection shows, computed from all items. */
function plainly(transcript: Transcript, participant: string, context: ContextDefinition | undefined) {
  const shown = transcript.itemsFor(participant, context);
  const whole = transcript.itemsFor(participant, undefined);
  const kept = shown.filter((item) => item !== OMISSION);
  return { ...sizeOf(shown), dropped: whole.length - kept.length, first: shown[0], tail: shown.slice(-5) };
}

/** A random conversation with hidden messages, handoffs, rewritten partials and resets. */
function randomDrafts(seed: number): DurableDraft[] {
  const draw = seededRandom(seed);
  const partials: string[] = [];
  return randomConversation(draw, 60 + draw(150)).flatMap((draft, at): DurableDraft[] => {
    if (draft.type === "message/added" && draft.message.partial) partials.push(draft.message.id);
    const edited = partials[draw(partials.length)];
    switch (draw(12)) {
      case 0:
        return [draft, messageAdded("user", `to ${at}`, { metadata: { to: "bob", visibility: "target" } })];
      case 1:
        return [
          draft,
          messageAdded("ann", `over ${at}`, {
            type: "HandoffMessage",
            metadata: { target: "bob", context: [{ name: "look", input: at, output: "seen", isError: false }] },
          }),
        ];
      case 2:
        if (edited === undefined) return [draft];
        if (draw(2) === 0)
          return [draft, { type: "message/edited", messageId: edited, content: `new ${at}`, by: "user" }];
        partials.splice(partials.indexOf(edited), 1);
        return [draft, { type: "message/dropped", messageId: edited, fromEnd: 1, by: "user" }];
      case 3:
        if (draw(20) > 0) return [draft];
        partials.length = 0;
        return [draft, { type: "team/reset" }];
      default:
        return [draft];
    }
  });
}

test("the figures of random conversations are those of all items, from the end of the history and from all of it", async () => {
  for (let seed = 0; seed < 60; seed++) {
    const events = numbered(randomDrafts(seed));
    for (const segment of [7, 40, 100]) {
      for (const context of contexts) {
        for (const participant of ["ann", "bob", "new"]) {
          const whole = new Transcript(() => events);
          const expected = plainly(whole, participant, context);
          const where = `seed ${seed}, ${segment} events to a segment, ${participant}, ${JSON.stringify(context)}`;
          const opened = new Transcript(
            () => events,
            async () => recentOf(events, segment),
          );
          await opened.prepareRecent();
          assert.deepEqual(opened.shownTo(participant, context), expected, where);
          assert.deepEqual(whole.shownTo(participant, context), expected, `${where}, all was read`);
          assert.deepEqual(
            [0, 1, 5, 50].map((count) => opened.conditionInput(count)),
            [0, 1, 5, 50].map((count) => whole.conditionInput(count)),
            where,
          );
        }
      }
    }
  }
});

/** What a turn of ann starts with from the end of a history, of which the last events have just happened. */
async function turnFromEnd(events: readonly DurableEvent[], stored: number, { segment, context }: Cut) {
  const opened = new Transcript(
    () => assert.fail("the whole history was read"),
    async () => recentOf(events.slice(0, stored), segment),
  );
  await opened.prepareRecent();
  if (!opened.startFromEnd([["ann", context]], 1, () => undefined)) return undefined;
  for (const event of events.slice(stored)) opened.apply(event);
  return opened.recentTurn("ann", "now", context);
}

interface Cut {
  readonly segment: number;
  readonly context: ContextDefinition | undefined;
}

const cuts: readonly Cut[] = [3, 7, 40].flatMap((segment) => contexts.map((context) => ({ segment, context })));

test("what a turn starts with from the end of a random history is what it starts with from all of it", async () => {
  let started = 0;
  for (let seed = 0; seed < 200; seed++) {
    const unseen: DurableDraft = { type: "model/asked", by: "ann", purpose: "choose" };
    const drafts = randomDrafts(seed).flatMap((draft, at) => (at % 9 === 0 ? [draft, unseen] : [draft]));
    const turn: DurableDraft = { type: "reasoning/start", id: "now", from: "ann", input: "" };
    const task = messageAdded("user", "go on", seed % 3 === 0 ? { metadata: { to: "ann" } } : {});
    // Without a task the turn goes on with the steps before it.
    const events = numbered(seed % 2 === 0 ? [...drafts, task, turn] : [...drafts, turn]);
    const whole = new Transcript(() => events);
    for (const cut of cuts) {
      const recent = await turnFromEnd(events, drafts.length, cut);
      if (recent === undefined) continue;
      started++;
      assert.deepEqual(
        recent,
        whole.readTurn({ participant: "ann", id: "now" }, cut.context),
        `seed ${seed}, ${JSON.stringify(cut)}`,
      );
    }
  }
  assert.ok(started > 500, `${started} turns started from the end`);
});

test("a turn that goes on with steps from before the end of the history does not start from the end", async () => {
  const drafts = Array.from({ length: 20 }, (_, at) => [toolRequested("ann", `c${at}`), toolExecuted(`c${at}`)]).flat();
  const events = numbered([...drafts, { type: "reasoning/start", id: "now", from: "ann", input: "" }]);
  const opened = new Transcript(
    () => events,
    async () => recentOf(events.slice(0, -1), 8),
  );
  await opened.prepareRecent();
  const context: ContextDefinition = { kind: "buffered", size: 2 };
  assert.equal(
    opened.startFromEnd([["ann", context]], undefined, () => undefined),
    true,
  );
  for (const event of events.slice(-1)) opened.apply(event);
  assert.equal(opened.recentTurn("ann", "now", context), undefined);
  assert.equal(opened.stepsOf("ann", "now").length, 20);
});

test("entries that come after the first look are counted, and edits of those that were counted", () => {
  for (let seed = 0; seed < 40; seed++) {
    const live = new Transcript();
    for (const event of numbered(randomDrafts(seed))) {
      live.apply(event);
      if (event.seq % 5 === 0) assert.deepEqual(live.shownTo("ann", undefined), plainly(live, "ann", undefined));
    }
    assert.deepEqual(live.shownTo("bob", { kind: "buffered" }), plainly(live, "bob", { kind: "buffered" }));
  }
});

test("what happens after the end was read is part of it", async () => {
  const events = numbered(Array.from({ length: 95 }, (_, at) => messageAdded("bob", `${at}`)));
  const opened = new Transcript(
    () => assert.fail("the whole history was read"),
    async () => recentOf(events, 10),
  );
  await opened.prepareRecent();
  const context: ContextDefinition = { kind: "buffered", size: 3 };
  assert.equal(opened.shownTo("ann", context).dropped, 92);

  const [next] = numbered([messageAdded("ann", "next")]);
  assert.ok(next);
  opened.apply({ ...next, seq: 96 });
  await opened.prepareRecent();

  assert.equal(opened.shownTo("ann", context).dropped, 93);
  assert.deepEqual(opened.shownTo("ann", context).tail.at(-1), { role: "assistant", content: "next", calls: [] });
});

test("of a long history no more than its ends is read, however the context is limited", async () => {
  const drafts = Array.from({ length: 2_000 }, (_, at) => [
    messageAdded("bob", `bob ${at}`),
    messageAdded("ann", `ann ${at}`),
    toolRequested("ann", `c${at}`),
    toolExecuted(`c${at}`),
  ]).flat();
  const events = numbered(drafts);
  const whole = new Transcript(() => events);
  let read = 0;
  const recent = recentOf(
    events.map((event) => ({
      ...event,
      get type() {
        read++;
        return event.type;
      },
    })) as DurableEvent[],
    100,
  );
  read = 0;
  const opened = new Transcript(
    () => assert.fail("the whole history was read"),
    async () => recent,
  );
  await opened.prepareRecent();

  for (const context of contexts.filter((one) => one?.kind !== "tokenLimited"))
    assert.deepEqual(opened.shownTo("ann", context), plainly(whole, "ann", context), JSON.stringify(context));
  assert.ok(read < 2_000, `${read} reads of events`);
});

test("a long conversation is counted in parts, of which none has many entries or much text", () => {
  const short = Array.from({ length: 3_500 }, (_, at) => messageAdded("bob", `${at}`));
  const long = Array.from({ length: 4 }, (_, at) => messageAdded("bob", `${at}`.repeat(1_800_000)));
  for (const [drafts, parts] of [
    [short, 4],
    [long, 4],
    [[toolRequested("ann", "c1", "c2"), ...["c1", "c2"].map((ref) => toolExecuted(ref, "x".repeat(1_800_000)))], 2],
  ] as const) {
    const transcript = new Transcript();
    for (const event of numbered(drafts)) transcript.apply(event);
    let prepared = 1;
    while (transcript.prepareShown()) prepared++;
    assert.equal(prepared, parts);
    assert.deepEqual(transcript.shownTo("ann", undefined), plainly(transcript, "ann", undefined));
    assert.equal(transcript.prepareShown(), false, "nothing is counted twice");
  }
});
