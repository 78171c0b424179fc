import assert from "node:assert/strict";
import { test } from "node:test";
import { authorBlocks, writtenAt } from "./author-blocks.ts";

const at = "2026-01-01T00:00:00.000Z";
const wrote = (participant: string, line: number, lines: number, ref = "a") => ({ line, lines, participant, ref, at });

test("lines of one participant that follow each other are one block, whichever calls wrote them", () => {
  const written = [wrote("ann", 0, 2), wrote("ann", 2, 1, "b"), wrote("bo", 3, 4), wrote("bo", 9, 1)];
  assert.deepEqual(authorBlocks(written), [
    { line: 0, lines: 3, participant: "ann" },
    { line: 3, lines: 4, participant: "bo" },
    { line: 9, lines: 1, participant: "bo" },
  ]);
  assert.equal(writtenAt(written, 2)?.ref, "b");
  assert.equal(writtenAt(written, 8), undefined);
});

test("a large file is marked in part", () => {
  assert.deepEqual(authorBlocks([wrote("ann", 5, 1_000_000), wrote("bo", 1_000_005, 1)]), [
    { line: 5, lines: 9995, participant: "ann" },
  ]);
  const every = Array.from({ length: 4500 }, (_, index) => wrote("ann", index * 2, 1));
  assert.equal(authorBlocks(every).length, 2000);
});
