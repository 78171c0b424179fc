import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { frameOf, readFirstFrame } from "./first-frame.ts";

const limits = { maxSize: 1_000, maxMs: 60_000 };

test("the first message is read in whatever pieces it comes, and what follows stays", async () => {
  const stream = new PassThrough();
  const first = readFirstFrame(stream, limits);
  for (const byte of Buffer.from(frameOf({ method: "é" }))) stream.write(Buffer.of(byte));
  stream.write("the rest");
  assert.deepEqual(await first, { jsonrpc: "2.0", method: "é" });
  const [rest] = await once(stream, "data");
  assert.equal(String(rest), "the rest");
});

test("what ends, is too long or too slow, or is no message has no value", async () => {
  for (const sent of [
    "Content-Length: 5\r\n\r\n{}",
    "x".repeat(1_001),
    frameOf({ method: "x".repeat(1_000) }),
    "{}\r\n\r\n",
  ]) {
    const stream = new PassThrough();
    const first = readFirstFrame(stream, limits);
    stream.end(sent);
    assert.equal(await first, undefined);
  }
  assert.equal(await readFirstFrame(new PassThrough(), { ...limits, maxMs: 1 }), undefined);
});
