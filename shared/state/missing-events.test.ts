import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../contract/event.ts";
import { type EventsHost, eventsAfter, missingEvents } from "./missing-events.ts";

/** A host whose log ends with event `lastSeq`, and what was asked of it: `after` and `limit`. */
function hostAt(lastSeq: number): EventsHost & { readonly asked: (readonly [number, number])[] } {
  const asked: (readonly [number, number])[] = [];
  return {
    asked,
    async request(_message, { after = 0, limit = 1000 }) {
      asked.push([after, limit]);
      const events = Array.from({ length: Math.min(limit, lastSeq - after) }, (_, at): TeamEvent => {
        return { seq: after + 1 + at, at: "2026-01-01T00:00:00.000Z", type: "handoff", from: "ann", to: "bob" };
      });
      return { events, lastSeq };
    },
  };
}

test("a team that is 5000 events behind is brought up to date by all of them", async () => {
  const host = hostAt(5010);
  const events = await missingEvents(host, "t", 10, 5010);
  assert.equal(events?.length, 5000);
  assert.deepEqual(host.asked, [[10, 5000]]);
});

test("a team that is further behind is shown from the snapshot, and no event is asked for", async () => {
  const host = hostAt(5011);
  assert.equal((await missingEvents(host, "t", 10, 5011))?.length, undefined);
  assert.deepEqual(host.asked, []);
});

test("a team that is ahead of the snapshot, as after a reset, is shown from the snapshot", async () => {
  const host = hostAt(3);
  assert.equal(await missingEvents(host, "t", 10, 3), undefined);
  assert.deepEqual(host.asked, []);
});

test("a team that is up to date with the snapshot gets only what came after it", async () => {
  assert.equal((await missingEvents(hostAt(12), "t", 10, 10))?.length, 2);
});

test("more events than one request may ask for are requested in several", async () => {
  const limits: number[] = [];
  const host: EventsHost = {
    request: async (_message, { after = 0, limit = 0 }) => {
      limits.push(limit);
      const seq = Math.min(after + limit, 12_000);
      return { events: [{ seq, at: "", type: "handoff", from: "a", to: "b" }], lastSeq: 12_000 };
    },
  };
  await eventsAfter(host, "t", 0, 200_000);
  assert.deepEqual(limits, [10_000, 10_000]);
});
