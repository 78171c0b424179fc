import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MeasuredDatabase } from "../testing/measured-database.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { messageEvent, storedTeam } from "../testing/stored-team.ts";
import { findMessages } from "./find-messages.ts";
import { WantedText } from "./wanted-text.ts";

async function idsIn(database: MeasuredDatabase["database"], key: number, query: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { messageId } of findMessages(database, key, new WantedText(query))) ids.push(messageId);
  return ids;
}

describe("findMessages", () => {
  it("finds a text in long messages in parts, whatever its letters", async () => {
    using folder = new ScratchFolder();
    const long = "Wörter words ".repeat(4_000);
    const events = Array.from({ length: 300 }, (_, nth) => messageEvent(nth + 1, `${long} Ende${nth + 1}`));
    using stored = await storedTeam(folder.path, events);
    const { key } = stored.record;

    const measured = new MeasuredDatabase(folder.path);
    using database = measured.database;
    const size = JSON.stringify(events).length;
    for (const query of ["ЖУРАВЛЬ", "wörter ж", "words x"]) {
      assert.deepEqual(await measured.during(() => idsIn(database, key, query)), [], query);
      assert.ok(measured.most <= 1_000_000, `${query}: ${measured.most} of ${size} at once`);
    }
    const all = events.map(({ seq }) => `m${seq}`).reverse();
    assert.deepEqual(await idsIn(database, key, "WÖRTER"), all);
    assert.deepEqual(await idsIn(database, key, "ende299"), ["m299"]);
  });

  it("finds a text that is stored apart, and leaves it out when it is damaged", async () => {
    using folder = new ScratchFolder();
    const long = `${"filler ".repeat(200_000)}Grey\n Heron${" more".repeat(20_000)}`;
    using stored = await storedTeam(folder.path, [messageEvent(1, "a grey heron"), messageEvent(2, long)]);
    const { key } = stored.record;
    const measured = new MeasuredDatabase(folder.path);
    using database = measured.database;
    assert.deepEqual(await idsIn(database, key, "grey heron"), ["m2", "m1"]);
    const all = database.all.bind(database);
    database.all = async (sql, ...values) => (sql.includes("FROM textUses") ? [] : all(sql, ...values));
    assert.deepEqual(await idsIn(database, key, "grey heron"), ["m1"]);
  });
});
