import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import { Database } from "./database.ts";
import { EventLog } from "./event-log.ts";
import { TeamJournal } from "./team-journal.ts";
import { TeamRecords } from "./team-records.ts";
import { sampleTeam } from "./testing/sample-events.ts";
import { ScratchFolder } from "./testing/scratch-folder.ts";

const at = "2026-01-01T00:00:00.000Z";
const thought = (seq: number, message = ""): DurableEvent => ({
  seq,
  at,
  type: "reasoning/thought",
  from: "ann",
  correlation_id: [],
  message,
});

describe("a full disk", () => {
  it("breaks the journals that wrote since the last commit; only what was committed before is kept", () => {
    using folder = new ScratchFolder();
    using database = new Database(folder.path);
    const records = new TeamRecords(database);
    const log = new EventLog(database);
    const [key, other] = ["a", "b"].map((teamId) => {
      records.create(teamId, sampleTeam, undefined, at);
      return records.key(teamId) ?? 0;
    });
    assert.ok(key && other);
    const journal = new TeamJournal(database, "a", key);
    const bystander = new TeamJournal(database, "b", other);
    journal.append(thought(1));
    database.commit();

    database.run("PRAGMA max_page_count = 1");
    bystander.append(thought(1));
    journal.append(thought(2));
    const full = {
      data: { code: "StorageError" },
      message: /gavel\.db cannot grow because the disk is full; free some space/,
    };
    assert.throws(() => journal.append(thought(3, "long ".repeat(100_000))), full);
    assert.deepEqual([journal.isBroken, bystander.isBroken], [true, true]);
    assert.throws(() => journal.append(thought(3)), full);
    assert.throws(() => bystander.append(thought(2)), full);
    assert.deepEqual([log.lastSeq(key), log.lastSeq(other)], [1, 0]);

    database.run("PRAGMA max_page_count = 100000");
    const again = new TeamJournal(database, "a", key);
    again.append(thought(2));
    database.commit();
    assert.equal(log.lastSeq(key), 2);
  });
});

describe("the start of a tool", () => {
  it("is durable before the tool runs; other events are committed with the next commit", () => {
    using folder = new ScratchFolder();
    using database = new Database(folder.path);
    const records = new TeamRecords(database);
    records.create("a", sampleTeam, undefined, at);
    const key = records.key("a") ?? 0;
    const journal = new TeamJournal(database, "a", key);
    using otherHost = new Database(folder.path);
    const stored = new EventLog(otherHost);

    journal.append(thought(1));
    assert.equal(stored.lastSeq(key), 0);
    journal.append({ seq: 2, at, type: "tool/started", ref: "call" });
    assert.equal(stored.lastSeq(key), 2);
    journal.append(thought(3));
    assert.equal(stored.lastSeq(key), 2);
    database.commit();
    assert.equal(stored.lastSeq(key), 3);
  });
});
