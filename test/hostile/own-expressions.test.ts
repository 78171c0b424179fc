import assert from "node:assert/strict";
import { test } from "node:test";
import { findProgram } from "../../server/engine/approvals/option-tables/find-program.ts";
import { globMatcher } from "../../server/engine/glob.ts";
import { endpointOf } from "../../server/models/endpoint/endpoint.ts";
import { redact } from "../../server/models/redaction/redact.ts";

// Gavel's own regular expressions over text from outside. With the square of this length they would take minutes, and the
// limit of test files would end this one.

const LENGTH = 400_000;

test("a glob of many open brackets, braces or commas", () => {
  for (const [start, repeat] of [
    ["", "["],
    ["", "{"],
    ["{", ","],
    ["", "[!"],
    ["", "\\"],
    ["", "a*"],
  ] as const) {
    assert.equal(globMatcher(start + repeat.repeat(LENGTH / repeat.length))("a.txt"), false, repeat);
  }
});

test("a program with a name of many digits or dots", () => {
  for (const repeat of ["0", ".", "-0", "0."]) assert.equal(findProgram(`${repeat.repeat(LENGTH)}x`), undefined);
});

test("an endpoint with a path of many slashes", () => {
  const baseUrl = `http://127.0.0.1/${"/".repeat(LENGTH)}v1//`;

  assert.ok(endpointOf({ provider: "openai", model: "m", baseUrl }).baseUrl.endsWith("/v1"));
});

test("an error text of many dots, colons or stars beside a key", () => {
  for (const repeat of [".", ":", "!", "*", "•", "sk-", "a."]) {
    const text = redact(`sk-1234567890abcdef${repeat.repeat(LENGTH / repeat.length)}x`, "sk-1234567890abcdef");
    assert.ok(!text.includes("1234567890"), repeat);
  }
});
