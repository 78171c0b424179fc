import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import type { Write } from "../write.ts";
import { WorkerWriter } from "./worker-writer.ts";

const SCRIPT = new URL("./store-worker.ts", import.meta.url);
const writerOf = (folder: string, isRead = false): WorkerWriter =>
  new WorkerWriter({ script: SCRIPT, data: { folder } }, { isRead: () => isRead });

const insert = (id: string): Write => ({
  kind: "run",
  statements: [["INSERT INTO approvals (id, json) VALUES (?, '{}')", id]],
});

it("writes that violate a constraint fail alone, and a store that could not be opened is opened by the next write", async () => {
  using folder = new ScratchFolder();
  const writer = writerOf(folder.path);
  const path = join(folder.path, "gavel.db");
  mkdirSync(path);
  const [closed] = await writer.execute([{ kind: "open" }]);
  assert.ok(closed !== undefined && "failure" in closed);
  assert.match(closed.failure.message, /gavel\.db cannot be opened/);
  rmdirSync(path);

  const outcomes = await writer.execute([insert("a"), insert("a"), insert("b")]);
  assert.deepEqual(
    outcomes.map((outcome) => ("value" in outcome ? outcome.value : outcome.failure.conflict)),
    [1, true, 1],
  );
  writer.finish([insert("c")]);
  const again = writerOf(folder.path);
  const [kept] = await again.execute([insert("c")]);
  assert.ok(kept !== undefined && "failure" in kept && kept.failure.conflict, "the last write is stored");
  again.finish([]);
});

it("a damaged store that this host reads already, as the disk was read-only, is not set aside", async () => {
  using folder = new ScratchFolder();
  const filled = writerOf(folder.path);
  await filled.execute([insert("a")]);
  filled.finish([]);
  truncateSync(join(folder.path, "gavel.db"), 8 * 4096);
  const files = readdirSync(folder.path);

  const writer = writerOf(folder.path, true);
  await writer.execute([insert("b")]);
  writer.finish([]);
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => !files.includes(name)),
    [],
  );
  const alone = writerOf(folder.path);
  await alone.execute([insert("b")]);
  alone.finish([]);
  assert.ok(readdirSync(folder.path).includes("gavel.db.damaged-1"));
});

for (const file of ["gavel.db-wal", "gavel.db-shm"]) {
  it(`after ${file} has gone nothing is stored where no one finds it, and what was stored before is in the database`, async () => {
    using folder = new ScratchFolder();
    using copies = new ScratchFolder();
    const writer = writerOf(folder.path);
    const path = join(folder.path, file);
    await writer.execute([insert("a")]);
    await writer.execute([insert("b")]);
    renameSync(path, `${path}-away`);
    const [lost] = await writer.execute([insert("c")]);
    assert.ok(lost !== undefined && "failure" in lost);
    assert.match(
      lost.failure.message,
      new RegExp(`${file} was deleted or replaced while Gavel was using it; put it back`),
    );
    assert.equal(lost.failure.conflict, false);

    // What a host leaves that is killed now.
    const left = join(copies.path, "gavel.db");
    cpSync(join(folder.path, "gavel.db"), left);
    const database = new DatabaseSync(left);
    assert.deepEqual(
      database
        .prepare("SELECT id FROM approvals ORDER BY id")
        .all()
        .map(({ id }) => id),
      ["a", "b"],
    );
    database.close();

    renameSync(`${path}-away`, path);
    assert.deepEqual(await writer.execute([insert("c")]), [{ value: 1 }]);
    writer.finish([]);
  });
}

it("a store whose write-ahead log was deleted is as it was at the next start", async () => {
  using folder = new ScratchFolder();
  const writer = writerOf(folder.path);
  await writer.execute([insert("a")]);
  rmSync(join(folder.path, "gavel.db-wal"));
  await writer.execute([insert("b")]);
  writer.finish([]);
  const next = writerOf(folder.path);
  const [kept] = await next.execute([insert("a")]);
  assert.ok(kept !== undefined && "failure" in kept && kept.failure.conflict);
  next.finish([]);
  assert.ok(!readdirSync(folder.path).some((name) => name.includes("damaged")));
});
