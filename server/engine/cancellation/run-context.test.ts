import assert from "node:assert/strict";
import { test } from "node:test";
import { RunContext } from "./run-context.ts";

const interrupt = { kind: "interrupt" } as const;

test("interrupting a node reaches all below it and nothing above or beside it", () => {
  const run = new RunContext("run");
  const turn = run.child("turn");
  const model = turn.child("model");
  const tool = turn.child("tool");
  const otherTurn = run.child("other turn");

  turn.interrupt(interrupt);

  assert.deepEqual(
    [run, turn, model, tool, otherTurn].map(({ name, isInterrupted: interrupted }) => [name, interrupted]),
    [
      ["run", false],
      ["turn", true],
      ["model", true],
      ["tool", true],
      ["other turn", false],
    ],
  );
  assert.equal(model.signal.aborted, true);
  assert.deepEqual(model.signal.reason, interrupt);
  assert.equal(run.signal.aborted, false);
});

test("a node keeps its first cause, also when its parent is interrupted later", () => {
  const run = new RunContext("run");
  const turn = run.child("turn");

  turn.interrupt({ kind: "timeout" });
  run.interrupt({ kind: "cancel" });
  run.interrupt(interrupt);

  assert.deepEqual(turn.cause, { kind: "timeout" });
  assert.deepEqual(run.cause, { kind: "cancel" });
});

test("a child of an interrupted node is interrupted from the start", () => {
  const run = new RunContext("run");
  run.interrupt(interrupt);

  const turn = run.child("turn");

  assert.equal(turn.signal.aborted, true);
  assert.deepEqual(turn.cause, interrupt);
});

test("an interrupt above no longer reaches a node that has ended", () => {
  const run = new RunContext("run");
  const turn = run.child("turn");
  turn.end();

  run.interrupt(interrupt);

  assert.equal(turn.isInterrupted, false);
});

test("a listener of the signal finds the whole branch interrupted", () => {
  const run = new RunContext("run");
  const turn = run.child("turn");
  const seen: boolean[] = [];
  turn.signal.addEventListener("abort", () => seen.push(run.isInterrupted, turn.isInterrupted));

  run.interrupt(interrupt);

  assert.deepEqual(seen, [true, true]);
});
