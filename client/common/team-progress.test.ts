import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableEvent } from "../../shared/contract/event.ts";
import type { RunStatus } from "../../shared/contract/team.ts";
import { progressOf } from "./team-progress.ts";

const idle: Parameters<typeof progressOf>[0] = { status: "idle", pendingTools: [] };
const NO_USAGE = { prompt: 0, completion: 0, total: 0 };
const ended = (status: RunStatus, path?: string[]): DurableEvent => ({
  seq: 1,
  at: "2026-01-01T00:00:00.000Z",
  type: "run/ended",
  stopReason: null,
  status,
  usage: NO_USAGE,
  ...(path === undefined ? {} : { path }),
});

test("a team is idle until it has run, and then as its last run ended", () => {
  assert.equal(progressOf(idle, []), "idle");
  assert.equal(progressOf(idle, [ended({ code: "success" })]), "finished");
  assert.equal(progressOf(idle, [ended({ code: "success" }), ended({ code: "error" })]), "failed");
  assert.equal(progressOf(idle, [ended({ code: "interrupted" })]), "interrupted");
  const reset: DurableEvent = { seq: 2, at: "2026-01-01T00:00:00.000Z", type: "team/reset" };
  assert.equal(progressOf(idle, [ended({ code: "error" }), reset]), "idle");
});

test("the run of a nested team is not the team's", () => {
  assert.equal(progressOf(idle, [ended({ code: "success" }), ended({ code: "error" }, ["inner"])]), "finished");
});

test("what waits for the user comes first, also while others of the team are running", () => {
  const call = { ref: "c1", name: "runCommand", participant: "ann", input: {} };
  assert.equal(progressOf({ status: "awaitingTools", pendingTools: [{ ...call, approval: true }] }, []), "approval");
  assert.equal(progressOf({ status: "running", pendingTools: [{ ...call, interrupt: true }] }, []), "question");
  assert.equal(progressOf({ status: "running", pendingTools: [] }, []), "running");
  const awaitingUser = { participant: "you" };
  assert.equal(progressOf({ status: "paused", pendingTools: [], awaitingUser }, []), "yourTurn");
});
