import assert from "node:assert/strict";
import { test } from "node:test";
import type { ShownEdit } from "../common/call-card.ts";
import { shownEdit, shownEdits } from "./shown-edit.ts";

const signs = { same: " ", added: "+", removed: "-" } as const;

const drawn = ({ hunks }: ShownEdit): string[] =>
  hunks.flatMap(({ before, after, lines }) => [
    `@ ${before} ${after}`,
    ...lines.map(({ kind, text, mark }) => {
      const shown =
        mark === undefined ? text : `${text.slice(0, mark[0])}[${text.slice(...mark)}]${text.slice(mark[1])}`;
      return `${signs[kind]}${shown}`;
    }),
  ]);

test("an edit is shown as its changed lines with those around them, with what differs within a line", () => {
  const before = ["1", "2", "3", "4", "const sum = a;", "6", "7", "8", "9", ""].join("\n");
  const edit = shownEdit({ path: "a.ts", before, after: before.replace("= a", "= a + b") });
  assert.deepEqual(drawn(edit), [
    "@ 2 2",
    " 2",
    " 3",
    " 4",
    "-const sum = a[];",
    "+const sum = a[ + b];",
    " 6",
    " 7",
    " 8",
  ]);
  assert.deepEqual([edit.added, edit.removed, edit.isNew, edit.omitted], [1, 1, false, 0]);
});

test("a new file is all added, and an emptied one all removed", () => {
  assert.deepEqual(drawn(shownEdit({ path: "a", before: null, after: "x\ny\n" })), ["@ 1 1", "+x", "+y"]);
  assert.deepEqual(drawn(shownEdit({ path: "a", before: "x\n", after: "" })), ["@ 1 1", "-x"]);
});

test("CRLF is shown only where it changes", () => {
  assert.deepEqual(drawn(shownEdit({ path: "a", before: "x\r\ny\r\n", after: "x\r\nz\r\n" })), [
    "@ 1 1",
    " x",
    "-y",
    "+z",
  ]);
  assert.deepEqual(drawn(shownEdit({ path: "a", before: "x\n", after: "x\r\n" })), ["@ 1 1", "-x[]", "+x[\r]"]);
});

test("a missing line break at the end is a change that is shown", () => {
  const edit = shownEdit({ path: "a", before: "x\n", after: "x" });
  assert.deepEqual(edit.hunks[0]?.lines, [
    { kind: "removed", text: "x" },
    { kind: "added", text: "x", unended: true },
  ]);
});

test("a long diff is cut, its counts are whole, and texts that differ in all lines take no long search", () => {
  const lines = (count: number, of: string): string =>
    Array.from({ length: count }, (_, at) => `${of} ${at}\n`).join("");
  const long = shownEdit({ path: "a", before: null, after: lines(5000, "line") });
  assert.deepEqual([long.added, long.omitted], [5000, 4000]);
  const other = shownEdit({ path: "a", before: lines(20_000, "old"), after: lines(20_000, "new") });
  assert.deepEqual([other.added, other.removed, other.omitted], [20_000, 20_000, 39_000]);
  const wide = shownEdit({ path: "a", before: null, after: `${"x".repeat(300_000)}\nshort\n` });
  assert.deepEqual([drawn(wide).length, wide.omitted], [0, 2]);
});

test("of the changes of many files, those of the first are shown and the others are counted", () => {
  const edits = shownEdits(
    Array.from({ length: 25 }, (_, at) => ({ path: `${at}.ts`, before: "old\n", after: "new\n" })),
  );
  assert.deepEqual(
    edits.map(({ hunks, omitted, added }) => [hunks.length, omitted, added]),
    [...Array.from({ length: 20 }, () => [1, 0, 1]), ...Array.from({ length: 5 }, () => [0, 2, 1])],
  );
});
