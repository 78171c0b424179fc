import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { whenIdle } from "./when-idle.ts";

const MINUTE = 60_000;

function watched(t: TestContext, idleMs: number) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const state = { isIdle: true, ends: 0 };
  const watch = whenIdle(
    idleMs,
    () => state.isIdle,
    () => {
      state.ends++;
    },
  );
  return { state, watch, pass: (ms: number) => t.mock.timers.tick(ms) };
}

test("it ends once after it has been idle for so long", (t) => {
  const { state, pass } = watched(t, 10 * MINUTE);
  pass(10 * MINUTE);
  assert.equal(state.ends, 0);
  pass(MINUTE);
  assert.equal(state.ends, 1);
  pass(60 * MINUTE);
  assert.equal(state.ends, 1);
});

test("what happens meanwhile starts the time again, however long it takes", (t) => {
  const { state, pass } = watched(t, 10 * MINUTE);
  pass(9 * MINUTE);
  state.isIdle = false;
  pass(500 * MINUTE);
  state.isIdle = true;
  pass(9 * MINUTE);
  assert.equal(state.ends, 0);
  pass(2 * MINUTE);
  assert.equal(state.ends, 1);
});

test("it is looked at often enough for a short time, and no more when it is disposed of", (t) => {
  const short = watched(t, 1_000);
  short.pass(2_000);
  assert.equal(short.state.ends, 1);
  t.mock.timers.reset();
  const disposed = watched(t, 1_000);
  disposed.watch[Symbol.dispose]();
  disposed.pass(10_000);
  assert.equal(disposed.state.ends, 0);
});
