import assert from "node:assert/strict";
import { test } from "node:test";
import { withDropped, withEdited } from "./cut-message.ts";
import { initialTeamState, SNAPSHOT_THREAD, type TeamState } from "./team-state.ts";

const at = "2026-01-01T00:00:00.000Z";
const state: TeamState = {
  ...initialTeamState("t", { name: "T", kind: "roundRobin", participants: [{ name: "ann" }] }),
  thread: ["a", "b"].map((id) => ({ id, type: "TextMessage", source: "ann", content: id, createdAt: at })),
  threadLength: SNAPSHOT_THREAD + 50,
  conditionMessages: 2,
};

test("removing a message lowers the number that the conditions count only if it was one of them", () => {
  assert.equal(withDropped(state, "b", 1).conditionMessages, 1);
  assert.equal(withDropped(state, "a", 2).conditionMessages, 1);
  assert.equal(withDropped({ ...state, conditionMessages: 1 }, "a", 2).conditionMessages, 1);
});

test("removing a message older than those in the state lowers the thread's length", () => {
  const dropped = withDropped(state, "old", SNAPSHOT_THREAD + 10);

  assert.deepEqual(
    [dropped.threadLength, dropped.thread, dropped.conditionMessages],
    [SNAPSHOT_THREAD + 49, state.thread, 2],
  );
  assert.equal(withEdited(state, "old", "x"), state);
});

test("a participant's last line is that of its last remaining message", () => {
  const lastLine = (after: TeamState): string | undefined => after.participants[0]?.lastLine;

  assert.equal(lastLine(withEdited(state, "b", "better\nhalf")), "better");
  assert.equal(lastLine(withDropped(state, "b", 1)), "a");
  assert.equal(lastLine(withDropped(withDropped(state, "b", 1), "a", 1)), undefined);
});
