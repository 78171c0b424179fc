import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EndedBy, Ending } from "../terminal/ending.ts";
import { codeOf, ExitCode } from "./exit-codes.ts";

test("The exit code says how the run ended", () => {
  assert.equal(codeOf({ code: "success" }), 0);
  assert.equal(codeOf({ code: "error" }), 1);
  assert.equal(codeOf({ code: "interrupted" }), 3);
  assert.equal(codeOf({ code: "cancelled" }), 3);
});

test("Each exit code is in the documentation, and no other", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "COMMAND-LINE.md"), "utf8");
  const rows = [...page.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = ""]) => codes.split(", ").map(Number));
  assert.deepEqual(rows, [...Object.values(ExitCode), ...Object.values(EndedBy)]);
});

test("Of several reasons to end, the first is the exit code", () => {
  const ending = new Ending();
  assert.equal(ending.code, undefined);
  ending.request(EndedBy.terminated);
  ending.request(EndedBy.brokenPipe);
  assert.equal(ending.code, 143);
  assert.equal(ending.signal.aborted, true);
});
