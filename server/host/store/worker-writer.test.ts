import assert from "node:assert/strict";
import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { ScratchFolder } from "./testing/scratch-folder.ts";
import { WorkerWriter } from "./worker-writer.ts";
import type { Write } from "./write.ts";

const insert = (id: string): Write => ({
  kind: "run",
  statements: [["INSERT INTO approvals (id, json) VALUES (?, '{}')", id]],
});

it("writes that violate a constraint fail alone, and a store that could not be opened is opened by the next write", async () => {
  using folder = new ScratchFolder();
  const writer = new WorkerWriter(folder.path);
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
  const again = new WorkerWriter(folder.path);
  const [kept] = await again.execute([insert("c")]);
  assert.ok(kept !== undefined && "failure" in kept && kept.failure.conflict, "the last write is stored");
  again.finish([]);
});
