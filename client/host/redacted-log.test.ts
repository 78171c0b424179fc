import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogOutputChannel } from "vscode";
import { redactedLog } from "./redacted-log.ts";

/** A log that keeps its lines, each with its level. */
function logInMemory(): { readonly log: LogOutputChannel; readonly lines: string[] } {
  const lines: string[] = [];
  const at = (level: string) => (text: string | Error) => void lines.push(`${level}: ${text}`);
  const nothing = (): void => undefined;
  const log: LogOutputChannel = {
    name: "Gavel",
    logLevel: 1,
    onDidChangeLogLevel: () => ({ dispose: nothing }),
    trace: at("trace"),
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    append: at("append"),
    appendLine: at("appendLine"),
    replace: nothing,
    clear: nothing,
    show: nothing,
    hide: nothing,
    dispose: nothing,
  };
  return { log, lines };
}

test("a secret is in no line of the log, at any level and in any form", () => {
  const { log, lines } = logInMemory();
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
  const { log, lines } = logInMemory();
  redactedLog(log, new Set(["sk-1"])).info("Starting the agent host.");
  assert.deepEqual(lines, ["info: Starting the agent host."]);
});
