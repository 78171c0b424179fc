import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Message } from "vscode-languageserver/node";
import { BatchedWriter } from "./batched-writer.ts";

/** What `JSON.stringify` throws for more text than a string can hold. */
const tooLarge = {
  toJSON() {
    throw new RangeError("Invalid string length");
  },
};

test("an answer that is too large for one message is an error, and the next one is sent", async () => {
  const output = new PassThrough();
  const writer = new BatchedWriter(output);
  const answers = [
    { jsonrpc: "2.0", id: 1, result: tooLarge },
    { jsonrpc: "2.0", id: 2, result: null },
  ];
  for (const answer of answers) await writer.write(answer);
  writer.end();
  const sent = String(output.read());
  assert.match(sent, /"id":1,"error":\{"code":-32603,"message":"The answer is too large to be sent; /);
  assert.match(sent, /\{"jsonrpc":"2.0","id":2,"result":null\}$/);
});

test("an event that is too large for one message is told as an error with its number", async () => {
  const output = new PassThrough();
  const writer = new BatchedWriter(output);
  const event = { seq: 7, at: "2026-01-01T00:00:00.000Z", type: "state/loaded", state: tooLarge };
  await writer.write({ jsonrpc: "2.0", method: "team/event", params: { teamId: "t", event } } as Message);
  writer.end();
  assert.match(
    String(output.read()),
    /"event":\{"seq":7,"at":"[^"]+","type":"error","message":"This event \(number 7, state\/loaded\) is too long to be sent/,
  );
});

const logLine = (message: string) => ({ jsonrpc: "2.0", method: "window/logMessage", params: { type: 3, message } });

test("lines of the log are written with the next message, or alone after a while", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const writes: string[] = [];
    const output = new PassThrough();
    output.on("data", (bytes) => writes.push(String(bytes)));
    const writer = new BatchedWriter(output);
    await writer.write(logLine("one"));
    await setImmediate();
    assert.deepEqual(writes, []);
    const answer = { jsonrpc: "2.0", id: 1, result: null };
    await writer.write(answer);
    await setImmediate();
    assert.deepEqual(
      writes.map((text) => [/"one"/.test(text), /"result"/.test(text)]),
      [[true, true]],
    );
    await writer.write(logLine("two"));
    mock.timers.tick(50);
    await setImmediate();
    assert.equal(writes.length, 2);
  } finally {
    mock.timers.reset();
  }
});
