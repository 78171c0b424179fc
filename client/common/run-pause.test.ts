import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, DurableEvent } from "../../shared/contract/event.ts";
import { initialTeamState, snapshotOf } from "../../shared/state/team-state.ts";
import { budgetPauseOf, userParticipantOf, userTurnOf } from "./run-pause.ts";

const at = "2026-01-01T10:42:00.000Z";
const usage = { prompt: 0, completion: 0, total: 0 };
const paused = { status: "paused" } as const;
const events = (...drafts: readonly (DurableDraft & { readonly path?: string[] })[]): DurableEvent[] =>
  drafts.map((draft, index) => ({ ...draft, seq: index + 1, at }) as DurableEvent);

const spent: DurableDraft = {
  type: "run/ended",
  stopReason: "The budget of 5 tokens is used up, at 6 tokens",
  status: { code: "interrupted", reason: "budget" },
  usage,
};
const started: DurableDraft = { type: "run/started", cause: "run" };

test("a team paused by a budget says so until it continues, is stopped or is reset", () => {
  assert.equal(budgetPauseOf(paused, events(started, spent)), "the budget of 5 tokens is used up, at 6 tokens");
  assert.equal(budgetPauseOf({ status: "idle" }, events(started, spent)), null);
  assert.equal(budgetPauseOf(paused, events(started, spent, started)), null);
  assert.equal(budgetPauseOf(paused, events(started, spent, { type: "team/reset" })), null);
});

test("a nested team's budget pauses the team around it", () => {
  assert.equal(budgetPauseOf(paused, events(started, { ...spent, path: ["research"] })), null);
});

test("the user's turn names the path to its participant, and is null while the team is running", () => {
  const awaitingUser = { participant: "alice", path: ["research"] };
  assert.equal(userTurnOf({ awaitingUser, status: "paused" }), "research › alice");
  assert.equal(userTurnOf({ awaitingUser, status: "running" }), null);
  assert.equal(userTurnOf({ status: "paused" }), null);
});

test("the user participant whose turn it is brings its handoffs, from a nested team too", () => {
  const definition = {
    name: "Outer",
    kind: "roundRobin" as const,
    participants: [
      {
        name: "research",
        kind: "team" as const,
        team: {
          name: "Inner",
          kind: "swarm" as const,
          participants: [{ name: "ann" }, { name: "alice", kind: "user" as const, handoffs: ["ann"] }],
        },
      },
    ],
  };
  const team = snapshotOf(initialTeamState("t", definition));
  const awaitingUser = { participant: "alice", path: ["research"] };
  assert.equal(userParticipantOf(team), undefined);
  assert.equal(userParticipantOf({ ...team, awaitingUser, status: "running" }), undefined);
  assert.deepEqual(userParticipantOf({ ...team, awaitingUser, status: "paused" })?.handoffs, [{ target: "ann" }]);
});
