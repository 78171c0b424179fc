import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
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
