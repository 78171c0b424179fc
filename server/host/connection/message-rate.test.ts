import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { MessageRate } from "./message-rate.ts";

test("a client that sends too many messages is read again after a while", async () => {
  const stream = new PassThrough();
  using rate = new MessageRate(stream, { burst: 3, perSecond: 100 });
  const flowing = once(stream, "resume");
  stream.resume();
  await flowing;
  for (let count = 0; count < 3; count++) rate.note();
  assert.equal(stream.isPaused(), false);
  const resumed = once(stream, "resume");
  rate.note();
  assert.equal(stream.isPaused(), true);
  await resumed;
  assert.equal(stream.isPaused(), false);
});
