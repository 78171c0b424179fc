import assert from "node:assert/strict";
import { test } from "node:test";
import { OutputTail, terminalText } from "./terminal-text.ts";

test("output is read as it looks: no colours, and progress lines as they ended", () => {
  assert.equal(terminalText("\u001b[31mfailed\u001b[0m\r\n10%\r50%\r100%\r\ndone\r\n"), "failed\n100%\ndone\n");
  assert.equal(terminalText("\u001b]633;C\u0007ok\n"), "ok\n");
});

test("of long output the end is kept, and says that it is the end", () => {
  const tail = new OutputTail();
  for (let line = 0; line < 30_000; line++) tail.add(`line ${line}\n`);
  assert.match(tail.text, /^\[Earlier output is left out\.\]\n/);
  assert.match(tail.text, /line 29999\n$/);
  assert.ok(tail.text.length < 61_000);
});
