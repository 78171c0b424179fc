import assert from "node:assert/strict";
import { it } from "node:test";
import { MeasuredDatabase } from "../testing/measured-database.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { messageEvent, storedTeam } from "../testing/stored-team.ts";
import { EventLog } from "./event-log.ts";

it("a text is found in long messages in parts, between which the event loop turns, whatever its letters", async () => {
  using folder = new ScratchFolder();
  const long = "Wörter words ".repeat(4_000);
  const events = Array.from({ length: 300 }, (_, nth) => messageEvent(nth + 1, `${long} Ende${nth + 1}`));
  using stored = await storedTeam(folder.path, events);
  const { record } = stored;

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
