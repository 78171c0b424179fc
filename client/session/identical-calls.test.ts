import assert from "node:assert/strict";
import { test } from "node:test";
import { callerNames, distinctCalls, identicalCalls } from "./identical-calls.ts";

const call = (ref: string, participant: string, input: unknown, name = "runCommand") => ({
  ref,
  name,
  participant,
  input,
  approval: true as const,
});

test("identical calls of several participants are one decision", () => {
  const calls = [
    call("1", "ann", { command: "ls", cwd: "a" }),
    call("2", "bob", { cwd: "a", command: "ls" }),
    call("3", "ann", { command: "ls" }),
    call("4", "cat", { command: "ls", cwd: "a" }, "other"),
  ];
  const [first] = calls;
  assert.ok(first);
  const same = identicalCalls(first, calls);
  assert.deepEqual(
    same.map(({ ref }) => ref),
    ["1", "2"],
  );
  assert.equal(callerNames(same), "ann and bob");
  assert.deepEqual(
    distinctCalls(calls).map(({ ref }) => ref),
    ["1", "3", "4"],
  );
});

test("a question that a tool asks is decided alone", () => {
  const question = { ref: "1", name: "ask", participant: "ann", input: {}, interrupt: true };
  const other = { ...question, ref: "2" };
  assert.deepEqual(identicalCalls(question, [question, other]), [question]);
  assert.equal(distinctCalls([question, other]).length, 2);
});

test("each participant is named once", () => {
  assert.equal(
    callerNames([call("1", "ann", 1), call("2", "bob", 1), call("3", "ann", 1), call("4", "cat", 1)]),
    "ann, bob, and cat",
  );
});
