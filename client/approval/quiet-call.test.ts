import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { QuietCall } from "./quiet-call.ts";

test("of many requests in a row one call is made, once they have ended", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let calls = 0;
  const quiet = new QuietCall(async () => void calls++, 200);
  for (let key = 0; key < 20; key++) {
    quiet.request();
    t.mock.timers.tick(100);
  }
  assert.equal(calls, 0);
  t.mock.timers.tick(200);
  await setImmediate();
  assert.equal(calls, 1);
  quiet.request();
  quiet.dispose();
  t.mock.timers.tick(1000);
  await setImmediate();
  assert.equal(calls, 1);
});

test("what is requested while a call is under way is called after it, once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const waiting: PromiseWithResolvers<void>[] = [];
  const quiet = new QuietCall(() => {
    const call = Promise.withResolvers<void>();
    waiting.push(call);
    return call.promise;
  }, 200);
  for (let request = 0; request < 3; request++) {
    quiet.request();
    t.mock.timers.tick(200);
  }
  assert.equal(waiting.length, 1);
  waiting[0]?.resolve();
  await setImmediate();
  assert.equal(waiting.length, 2);
});
