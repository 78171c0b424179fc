import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../contract/message.ts";
import { initialTeamState, snapshotOf, type TeamState } from "../state/team-state.ts";
import { questionTitle, userQuestionOf } from "./user-question.ts";

const lab = {
  name: "Lab",
  kind: "swarm" as const,
  participants: [{ name: "eve" }, { name: "you", kind: "user" as const }],
};
const definition = {
  name: "Team",
  kind: "swarm" as const,
  participants: [
    { name: "planner" },
    { name: "alice", kind: "user" as const, handoffs: ["planner"] },
    { name: "lab", kind: "team" as const, team: lab },
  ],
};

const said = (source: string, content: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id: `${source}-1`,
  type: "TextMessage",
  source,
  content,
  createdAt: "2026-03-02T10:40:00Z",
  ...more,
});

const start = initialTeamState("t", definition);
const paused: TeamState = { ...start, status: "paused", thread: [said("user", "Go."), said("planner", "Thursday?")] };

test("a user participant's turn is a question: who asks, its text, and who the answer can hand over to", () => {
  const question = userQuestionOf(snapshotOf({ ...paused, awaitingUser: { participant: "alice" } }));
  assert.partialDeepStrictEqual(question, {
    by: "planner",
    text: "Thursday?",
    as: "alice",
    handoffs: [{ target: "planner" }],
  });
  assert.equal(question && questionTitle(question), "Your turn: planner asks alice");
});

test("the question stays the same while others answer messages of the user", () => {
  const asked: TeamState = { ...paused, awaitingUser: { participant: "alice" } };
  const aside = [...asked.thread, said("user", "Why?", { metadata: { to: "planner" } })];
  const before = userQuestionOf(snapshotOf(asked));
  assert.deepEqual(userQuestionOf(snapshotOf({ ...asked, status: "running", thread: aside })), before);
});

test("a question within a nested team names its path, and never says you's", () => {
  const inner = { ...start.inner, lab: { ...start, ...start.inner?.["lab"], thread: [said("eve", "Which one?")] } };
  const awaitingUser = { participant: "you", path: ["lab"] };
  const question = userQuestionOf(snapshotOf({ ...paused, inner, awaitingUser }));
  assert.equal(question && questionTitle(question), "Your turn: lab › eve asks lab › you");
  assert.equal(questionTitle({ by: "eve", as: "you" }), "Your turn: eve asks");
  assert.equal(questionTitle({ by: null, as: "alice" }), "Your turn as alice");
});

test("a handoff that leaves the team is a question; one to a member, or that was answered, is none", () => {
  const handoff = said("planner", "Please decide.", { type: "HandoffMessage", metadata: { target: "human" } });
  const left: TeamState = { ...start, status: "idle", thread: [handoff] };
  assert.partialDeepStrictEqual(userQuestionOf(snapshotOf(left)), { by: "planner", text: "Please decide.", as: null });
  const back = { ...handoff, metadata: { target: "planner" } };
  assert.equal(userQuestionOf(snapshotOf({ ...left, thread: [back] })), null);
  assert.equal(userQuestionOf(snapshotOf({ ...left, thread: [handoff, said("user", "Done.")] })), null);
});
