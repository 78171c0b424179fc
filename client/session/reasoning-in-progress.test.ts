import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, DurableEvent } from "../../shared/contract/event.ts";
import type { EventsHost } from "../../shared/state/missing-events.ts";
import { reasoningInProgress } from "./reasoning-in-progress.ts";

const start = (id: string, from: string, path?: string[]): DurableDraft & { path?: string[] } => ({
  type: "reasoning/start",
  id,
  from,
  input: `of ${id}`,
  ...(path === undefined ? {} : { path }),
});
const conclusion = (id: string): DurableDraft => ({ type: "reasoning/conclusion", from: "ann", correlation_id: [id] });

/** A host whose log has these events, from `seq` 1 on, and gives no more than `page` at a time. */
function hostWith(drafts: readonly DurableDraft[], page = 10_000): EventsHost & { readonly asked: number[] } {
  const log = drafts.map((draft, at): DurableEvent => ({ seq: at + 1, at: "2026-01-01T00:00:00.000Z", ...draft }));
  const asked: number[] = [];
  return {
    asked,
    async request(_message, { after = 0, limit = 1_000, types }) {
      asked.push(after);
      const wanted = log.filter(({ seq, type }) => seq > after && types?.includes(type) !== false);
      return { events: wanted.slice(0, Math.min(limit, page)), lastSeq: log.length };
    },
  };
}

test("a sequence that has started and has no conclusion is in progress, in nested teams too", async () => {
  const host = hostWith([start("1", "ann"), conclusion("1"), start("2", "lab"), start("3", "cat", ["lab"])]);
  assert.deepEqual(await reasoningInProgress(host, "t", 4), [
    { id: "2", participant: "lab", path: [], input: "of 2" },
    { id: "3", participant: "cat", path: ["lab"], input: "of 3" },
  ]);
});

test("one that started long ago is found in the whole log, which is read only then", async () => {
  const filler = Array.from({ length: 12_000 }, (): DurableDraft => ({ type: "handoff", from: "ann", to: "bob" }));
  const host = hostWith([start("1", "ann"), ...filler]);
  assert.equal((await reasoningInProgress(host, "t", 12_001)).length, 1);
  assert.deepEqual(host.asked, [7_001, 0]);
});

test("a log of several pages is read completely", async () => {
  const turns = Array.from({ length: 6_000 }, (_, at) => [start(String(at), "ann"), conclusion(String(at))]).flat();
  const host = hostWith([start("first", "ann"), ...turns]);
  const open = await reasoningInProgress(host, "t", 12_001);
  assert.deepEqual(
    open.map(({ id }) => id),
    ["first"],
  );
  assert.deepEqual(host.asked, [7_001, 0, 10_000]);
});
