import assert from "node:assert/strict";
import { it } from "node:test";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import { Store } from "../store.ts";
import { MeasuredDatabase } from "../testing/measured-database.ts";
import { sampleTeam } from "../testing/sample-events.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { EventLog } from "./event-log.ts";

const at = "2026-01-01T00:00:00.000Z";

it("a text is found in long messages in parts, between which the event loop turns, whatever its letters", async () => {
  using folder = new ScratchFolder();
  const long = "Wörter words ".repeat(4_000);
  const message = (seq: number): DurableEvent => ({
    seq,
    at,
    type: "message/added",
    message: { id: `m${seq}`, type: "TextMessage", source: "ann", content: `${long} Ende${seq}`, createdAt: at },
  });
  const events = Array.from({ length: 300 }, (_, nth) => message(nth + 1));
  using store = new Store(folder.path);
  await store.ready();
  await store.teams.create("t", sampleTeam, undefined, at);
  const record = await store.teams.get("t");
  assert.ok(record);
  const journal = store.journal(record);
  for (const event of events) journal.append(event);
  await store.settled();

  const measured = new MeasuredDatabase(folder.path);
  using database = measured.database;
  const log = new EventLog(database);
  const size = JSON.stringify(events).length;
  const { key } = record;
  const { signal } = new AbortController();
  for (const query of ["ЖУРАВЛЬ", "wörter ж", "words x"]) {
    const none: readonly unknown[] = await measured.during(() => log.find(key, query, { limit: 3, signal }));
    assert.equal(none.length, 0, query);
    assert.ok(measured.most <= 1_000_000, `${query}: ${measured.most} of ${size} at once`);
  }
  const found = await log.find(key, "WÖRTER", { limit: 2, signal });
  assert.deepEqual(
    found.map(({ messageId }) => messageId),
    ["m300", "m299"],
  );
});
