import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryLog } from "../testing/memory-log.ts";
import { redactedLog } from "./redacted-log.ts";

test("a secret is in no line of the log, at any level and in any form", () => {
  const { log, lines } = memoryLog();
  const secrets = new Set<string>();
  const redacted = redactedLog(log, secrets);
  const key = 'sk-"quoted"-1';
  secrets.add(key);
  for (const level of ["trace", "debug", "info", "warn", "error", "append", "appendLine"] as const) {
    redacted[level](`Result: ${JSON.stringify({ value: key })}`);
    redacted[level](`Bearer ${key}`);
  }
  redacted.error(new Error(`refused ${key}`));
  assert.equal(lines.length, 15);
  for (const line of lines) assert.doesNotMatch(line, /sk-/);
  assert.equal(lines[0], 'trace: Result: {"value":"(secret)"}');
});

test("lines without a secret keep their level and text", () => {
  const { log, lines } = memoryLog();
  redactedLog(log, new Set(["sk-1"])).info("Starting the agent host.");
  assert.deepEqual(lines, ["info: Starting the agent host."]);
});
