import assert from "node:assert/strict";
import { test } from "node:test";
import type { ElicitField } from "../../shared/contract/mcp-question.ts";
import { fieldProblem, fieldValue } from "./elicit-fields.ts";

const field = (more: Partial<ElicitField>): ElicitField => ({ name: "f", type: "string", required: true, ...more });

test("a field is required or may be left empty", () => {
  assert.equal(fieldProblem(field({}), ""), "Enter a value.");
  assert.equal(fieldProblem(field({ required: false, minimum: 3 }), ""), undefined);
  assert.equal(fieldValue(field({ required: false, type: "number" }), ""), undefined);
});

test("numbers, whole numbers and their limits", () => {
  for (const text of ["x", "1e999", " "])
    assert.equal(fieldProblem(field({ type: "number" }), text), "Enter a number.");
  assert.equal(fieldProblem(field({ type: "integer" }), "1.5"), "Enter a whole number.");
  assert.equal(fieldProblem(field({ type: "integer", minimum: 1 }), "0"), "Enter a number not less than 1.");
  assert.equal(fieldProblem(field({ type: "number", maximum: 1 }), "1.5"), "Enter a number not more than 1.");
  assert.equal(fieldValue(field({ type: "integer" }), "7"), 7);
});

test("formats and lengths of texts", () => {
  assert.match(fieldProblem(field({ format: "email" }), "ann") ?? "", /an email address/);
  assert.match(fieldProblem(field({ format: "uri" }), "ann") ?? "", /an address/);
  assert.match(fieldProblem(field({ format: "date" }), "2026-13-45") ?? "", /a date/);
  for (const [format, text] of [
    ["email", "a@b.example"],
    ["uri", "https://x.example"],
    ["date", "2026-01-31"],
    ["date-time", "2026-01-31T12:00:00Z"],
    ["unknown", "x"],
  ] as const)
    assert.equal(fieldProblem(field({ format }), text), undefined, format);
  assert.match(fieldProblem(field({ maximum: 2 }), "abc") ?? "", /not more than 2/);
});
