import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import type { StorageStatus } from "../../../../shared/contract/storage.ts";
import { StorageHealth } from "../storage-health.ts";
import { Store } from "../store.ts";
import { sampleTeam } from "../testing/sample-events.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import type { Outcome, Write, Writer } from "../write.ts";
import { WriteQueue } from "../write-queue.ts";
import { DirectWriter } from "../writing/direct-writer.ts";
import { WriteConnection } from "../writing/write-connection.ts";
import { TeamJournal } from "./team-journal.ts";

const at = "2026-01-01T00:00:00.000Z";
const thought = (seq: number, message = ""): DurableEvent => ({
  seq,
  at,
  type: "reasoning/thought",
  from: "ann",
  correlation_id: [],
  message,
});
const LARGE = "long ".repeat(100_000);

/** Two teams in a store whose file can be kept from growing. */
async function twoTeams(folder: ScratchFolder) {
  {
    using store = new Store(folder.path);
    for (const teamId of ["a", "b"]) await store.teams.create(teamId, sampleTeam, undefined, at);
  }
  const connection = new WriteConnection(folder.path);
  const queue = new WriteQueue(new DirectWriter(connection));
  const statuses: StorageStatus[] = [];
  const health = new StorageHealth({
    probe: async () => void (await queue.write<"open">({ kind: "open" })),
    changed: (status) => statuses.push(status),
  });
  const [large, small] = ["a", "b"].map((teamId, at_) => {
    const options = { queue, teamId, key: at_ + 1, claim: () => "no" as const, claimed: () => {} };
    return new TeamJournal({ ...options, changed: (journal, error) => health.journalChanged(journal, error) });
  });
  if (large === undefined || small === undefined) throw new Error("The journals were not made.");
  const stored = (key: number): unknown =>
    connection.database.prepare("SELECT group_concat(seq) AS seqs FROM events WHERE team = ?").get(key)?.["seqs"];
  return {
    large,
    small,
    statuses,
    health,
    stored,
    limitPages: (pages: number) => connection.database.exec(`PRAGMA max_page_count = ${pages}`),
    [Symbol.dispose]: () => {
      health[Symbol.dispose]();
      connection[Symbol.dispose]();
    },
  };
}

describe("a disk that is full", () => {
  it("fails the team whose event does not fit, and no other that writes at the same time", async () => {
    using folder = new ScratchFolder();
    using teams = await twoTeams(folder);
    const { large, small, stored } = teams;
    for (const journal of [large, small]) journal.append(thought(1));
    await large.settled();
    teams.limitPages(1);
    large.append(thought(2, LARGE));
    small.append(thought(2));
    await Promise.all([large.settled(), small.settled()]);
    assert.deepEqual([large.state, small.state], ["failing", "saving"]);
    assert.deepEqual([stored(1), stored(2)], ["1", "1,2"]);
    assert.equal(teams.statuses.length, 1);
    assert.match(teams.statuses[0]?.message ?? "", /gavel\.db cannot grow because the disk is full; free some space/);
  });

  it("keeps what does not fit, in order, until there is room again", async () => {
    using folder = new ScratchFolder();
    using teams = await twoTeams(folder);
    const { large, health, statuses } = teams;
    await large.durable(0);
    teams.limitPages(1);
    large.append(thought(1, LARGE));
    await large.settled();
    large.append(thought(2));
    const told = large.position;
    const durable = large.durable(2);
    assert.deepEqual([large.isTold(told), (await health.retry()).state], [false, "failing"]);
    teams.limitPages(1_000_000);
    assert.equal((await health.retry()).state, "saving");
    await durable;
    assert.deepEqual([teams.stored(1), large.isTold(told), large.state], ["1,2", true, "saving"]);
    assert.deepEqual(
      statuses.map(({ state }) => state),
      ["failing", "saving"],
    );
  });

  it("does not stop a team whose user continues without saving; all is stored when there is room", async () => {
    using folder = new ScratchFolder();
    using teams = await twoTeams(folder);
    const { large, small, health, statuses } = teams;
    teams.limitPages(1);
    large.append(thought(1, LARGE));
    await large.settled();
    const before = large.durable(1);
    health.continueUnsaved();
    await before;
    large.append(thought(2));
    small.append(thought(1, LARGE));
    await Promise.all([small.settled(), small.durable(1), large.durable(2)]);
    assert.deepEqual([large.state, small.state], ["unsaved", "unsaved"]);
    teams.limitPages(1_000_000);
    await health.retry();
    assert.deepEqual([teams.stored(1), teams.stored(2)], ["1,2", "1"]);
    assert.deepEqual(
      statuses.map(({ state }) => state),
      ["failing", "unsaved", "saving"],
    );
  });
});

/** A writer whose thread ends in the middle of its first write: before it, or after it and before the answer. */
class EndingWriter implements Writer {
  readonly #connection: WriteConnection;
  readonly #isWritten: boolean;
  #ended: (() => void) | undefined;
  #writes = 0;

  constructor(connection: WriteConnection, isWritten: boolean) {
    this.#connection = connection;
    this.#isWritten = isWritten;
  }

  async execute(batch: readonly Write[]): Promise<readonly Outcome[]> {
    if (this.#writes++ > 0) return this.#connection.execute(batch);
    if (this.#isWritten) this.#connection.execute(batch);
    await new Promise<void>((resolve) => (this.#ended = resolve));
    return batch.map(() => ({ failure: { message: "The thread ended.", conflict: false } }));
  }

  finish(batch: readonly Write[]): void {
    this.#connection.execute(batch);
  }

  end(): void {
    this.#ended?.();
  }
}

describe("a thread that ends in the middle of a write", () => {
  for (const isWritten of [false, true]) {
    const when = isWritten ? "after it had stored it" : "before it had stored it";
    const start = async (folder: ScratchFolder) => {
      {
        using store = new Store(folder.path);
        await store.teams.create("a", sampleTeam, undefined, at);
      }
      const connection = new WriteConnection(folder.path);
      const writer = new EndingWriter(connection, isWritten);
      const queue = new WriteQueue(writer);
      const claims = { claim: () => "no" as const, claimed: () => {}, changed: () => {} };
      const journal = new TeamJournal({ queue, teamId: "a", key: 1, ...claims });
      journal.append({ seq: 1, at, type: "message/started", messageId: "m", source: "ann" });
      journal.appendTransient({ at, type: "message/chunk", messageId: "m", source: "ann", delta: "word" });
      const durable = journal.durable(1);
      await setImmediate();
      return { connection, writer, queue, journal, durable };
    };
    const stored = (connection: WriteConnection) =>
      connection.database
        .prepare(
          "SELECT (SELECT group_concat(seq) FROM events) AS seqs, (SELECT group_concat(delta) FROM chunks) AS text",
        )
        .get();

    it(`${when} loses nothing and locks no team`, async () => {
      using folder = new ScratchFolder();
      const { connection, writer, journal, durable } = await start(folder);
      using _ = connection;
      writer.end();
      await journal.settled();
      assert.equal(journal.state, "failing");
      journal.append(thought(2));
      journal.retry();
      await durable;
      await journal.durable(2);
      assert.deepEqual([journal.state, { ...stored(connection) }], ["saving", { seqs: "1,2", text: "word" }]);
    });

    it(`${when} leaves no gap when the host ends meanwhile`, async () => {
      using folder = new ScratchFolder();
      const { connection, writer, queue, journal } = await start(folder);
      using _ = connection;
      journal.append(thought(2));
      queue.close();
      assert.deepEqual({ ...stored(connection) }, { seqs: "1,2", text: "word" });
      writer.end();
    });
  }
});
