import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_OUTPUT_BYTES, TerminalOutput } from "./terminal-output.ts";

test("The end of an output is kept, cut between characters, and it is said that it was cut", () => {
  const output = new TerminalOutput(6);
  output.push("ab");
  assert.deepEqual(output.read(), { output: "ab", truncated: false });
  output.push("€€€");
  assert.deepEqual(output.read(), { output: "€€", truncated: true });
  output.push("x");
  assert.deepEqual(output.read(), { output: "€x", truncated: true });
  output.push("👍👍");
  assert.deepEqual(output.read(), { output: "👍", truncated: true });
});

test("A limit of nothing keeps nothing, and no limit is above that of Gavel", () => {
  const none = new TerminalOutput(0);
  none.push("x");
  assert.deepEqual(none.read(), { output: "", truncated: true });
  const large = new TerminalOutput(Number.MAX_SAFE_INTEGER);
  for (let at = 0; at < 5; at += 1) large.push("x".repeat(MAX_OUTPUT_BYTES));
  assert.deepEqual([large.read().output.length, large.read().truncated], [MAX_OUTPUT_BYTES, true]);
});
