import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, TeamEvent, TransientDraft } from "../contract/event.ts";
import type { ChatMessage } from "../contract/message.ts";
import type { SavedState } from "../contract/saved-state.ts";
import { reduceTeam } from "./reducer.ts";
import { initialTeamState, SNAPSHOT_THREAD, snapshotOf, stateFromSnapshot, type TeamState } from "./team-state.ts";

const at = "2026-01-01T10:42:00.000Z";
const usage = { prompt: 1, completion: 2, total: 3 };
const team = initialTeamState("t", {
  name: "T",
  kind: "roundRobin",
  participants: [{ name: "ann" }, { name: "bob" }],
});

function fold(state: TeamState, ...drafts: readonly (DurableDraft | TransientDraft)[]): TeamState {
  return drafts.reduce<TeamState>((before, draft) => {
    const transient = draft.type === "message/chunk" || draft.type === "tool/output";
    const event = (transient ? { ...draft, at } : { ...draft, at, seq: before.lastSeq + 1 }) as TeamEvent;
    return reduceTeam(before, event);
  }, state);
}

const message = (id: string, source: string, content = id, more: Partial<ChatMessage> = {}): DurableDraft => ({
  type: "message/added",
  message: { id, type: "TextMessage", source, content, createdAt: at, ...more },
});
const run: DurableDraft = { type: "run/started", task: "go", cause: "run" };
const ended = (
  stopReason: string | null,
  more: Partial<Extract<DurableDraft, { type: "run/ended" }>> = {},
): DurableDraft => ({
  type: "run/ended",
  stopReason,
  status: { code: "success" },
  usage,
  ...more,
});
const turn = (from: string, id = `turn-${from}`): DurableDraft => ({ type: "reasoning/start", id, from, input: "" });
const turnEnd = (from: string, interrupted?: true): DurableDraft => ({
  type: "reasoning/conclusion",
  from,
  correlation_id: [`turn-${from}`],
  ...(interrupted === undefined ? {} : { interrupted }),
});
const selected = (name: string, directed?: "continue" | "pause"): DurableDraft => ({
  type: "speaker/selected",
  participants: [name],
  ...(directed === undefined ? {} : { directed }),
});
const requested: DurableDraft = {
  type: "tool/requested",
  participant: "ann",
  calls: [
    { ref: "c1", name: "readFile", input: {} },
    { ref: "c2", name: "runCommand", input: { command: "ls" } },
  ],
};
const pending: DurableDraft = {
  type: "tool/interrupted",
  ref: "c2",
  name: "runCommand",
  participant: "ann",
  input: { command: "ls" },
  approval: true,
};
const executed = (ref: string): DurableDraft => ({
  type: "tool/executed",
  ref,
  name: "x",
  participant: "ann",
  output: "",
  isError: false,
});

test("the fold is pure: the state that it starts from does not change", () => {
  const before = fold(team, run, { type: "message/started", messageId: "m1", source: "ann" });
  const copy = structuredClone(before);
  fold(
    before,
    { type: "message/chunk", messageId: "m1", source: "ann", delta: "x" },
    message("m1", "ann"),
    ended("end"),
  );
  assert.deepEqual(before, copy);
});

test("a chunk of a message that was never started, or has ended, is ignored", () => {
  const said = fold(team, { type: "message/started", messageId: "m1", source: "ann" }, message("m1", "ann"));
  const chunk: TransientDraft = { type: "message/chunk", messageId: "m1", source: "ann", delta: "late" };
  assert.equal(fold(said, chunk), said);
  assert.equal(fold(team, chunk), team);
});

test("chunks add up to the text of the streaming message, which is added to the thread once when it ends", () => {
  const streaming = fold(
    team,
    { type: "message/started", messageId: "m1", source: "ann" },
    { type: "message/chunk", messageId: "m1", source: "ann", delta: "Hel" },
    { type: "message/chunk", messageId: "m1", source: "ann", delta: "lo" },
  );
  assert.equal(streaming.streaming[0]?.text, "Hello");
  const done = fold(streaming, message("m1", "ann", "Hello"));
  assert.deepEqual([done.streaming, done.thread.length, done.threadLength], [[], 1, 1]);
});

test("a finished turn advances the order of speakers; an interrupted one does not, and is not counted", () => {
  const first = fold(team, run, selected("ann"), turn("ann"), turnEnd("ann"));
  assert.deepEqual([first.lastSpeaker, first.turn], ["ann", 1]);
  const cut = fold(first, selected("bob"), turn("bob"), turnEnd("bob", true));
  assert.deepEqual([cut.lastSpeaker, cut.turn], ["ann", 1]);
});

test("the answer to a directed message does not change the order of speakers", () => {
  const first = fold(team, run, selected("ann"), turn("ann"), turnEnd("ann"));
  const answered = fold(first, selected("ann", "continue"), turn("ann"), turnEnd("ann"));
  assert.equal(answered.lastSpeaker, "ann");
  assert.equal(fold(first, selected("bob", "pause"), turn("bob"), turnEnd("bob")).lastSpeaker, "ann");
});

test("a pending call is not an open call, becomes one again when it is approved, and ends with its result", () => {
  const waiting = fold(team, run, turn("ann"), requested, executed("c1"), pending);
  assert.deepEqual([waiting.calls, waiting.pendingTools.map(({ ref }) => ref)], [[], ["c2"]]);
  assert.equal(waiting.participants[0]?.activity, "awaitingTools");
  const stopped = fold(waiting, ended("TOOL_INTERRUPT"));
  assert.equal(stopped.status, "awaitingTools");
  const ruled = fold(stopped, { type: "tool/resolved", ref: "c2", how: "restart", by: "u", input: { command: "pwd" } });
  assert.deepEqual(
    ruled.calls.map(({ ref, input }) => [ref, input]),
    [["c2", { command: "pwd" }]],
  );
  assert.deepEqual(fold(ruled, executed("c2")).calls, []);
});

test("a decision on a call that is not pending is ignored", () => {
  const state = fold(team, run);
  const ruled = fold(state, { type: "tool/resolved", ref: "nope", how: "deny", by: "u" });
  assert.deepEqual({ ...ruled, lastSeq: state.lastSeq }, state);
});

test("a normal end resets the turns and the conditions and leaves the team idle; an interrupt pauses it with both kept", () => {
  const before = fold(team, run, message("t", "user"), turn("ann"), message("m", "ann"), turnEnd("ann"));
  const normal = fold(before, ended("done", { resets: true }));
  assert.deepEqual([normal.status, normal.turn, normal.conditionMessages, normal.run], ["idle", 0, 0, null]);
  const paused = fold(before, ended("USER_INTERRUPT", { status: { code: "interrupted" } }));
  assert.deepEqual([paused.status, paused.interrupted, paused.turn, paused.conditionMessages], ["paused", true, 1, 2]);
});

test("a failed run leaves the team idle and every participant at rest", () => {
  const failed = fold(team, run, turn("ann"), ended(null, { status: { code: "error", message: "no" } }));
  assert.equal(failed.status, "idle");
  assert.ok(failed.participants.every(({ activity }) => activity === "idle"));
});

test("the thread keeps its last 200 messages and counts all of them", () => {
  const many = Array.from({ length: SNAPSHOT_THREAD + 50 }, (_, index) => message(`m${index}`, "ann"));
  const state = fold(team, ...many);
  assert.deepEqual([state.thread.length, state.threadLength], [SNAPSHOT_THREAD, SNAPSHOT_THREAD + 50]);
  assert.equal(state.thread[0]?.id, "m50");
});

test("usage is added up for the run and for the team", () => {
  const state = fold(team, run, message("m1", "ann", "x", { usage }), message("m2", "ann", "x", { usage }));
  assert.deepEqual([state.usage.total, state.run?.usage.total], [6, 6]);
});

test("a loaded state replaces the team's own", () => {
  const saved: SavedState = {
    schemaVersion: 1,
    team: { name: "T", kind: "roundRobin", participants: ["ann", "bob"] },
    transcript: [
      { kind: "message", message: { id: "s1", type: "TextMessage", source: "ann", content: "saved", createdAt: at } },
      { kind: "result", ref: "c0", output: "", isError: false },
    ],
    pendingTools: [],
    queued: [],
    openTurns: [],
    lastSpeaker: "ann",
    turn: 3,
    usage,
    interrupted: true,
    conditionMessages: 1,
  };
  const state = fold(team, run, message("m1", "bob"), { type: "state/loaded", state: saved });
  assert.deepEqual(
    [state.thread.map(({ id }) => id), state.threadLength, state.status, state.lastSpeaker, state.turn],
    [["s1"], 1, "paused", "ann", 3],
  );
});

test("a reset empties the thread and everything that waits", () => {
  const reset = fold(team, run, message("m1", "ann"), requested, pending, ended("TOOL_INTERRUPT"), {
    type: "team/reset",
  });
  const { lastSeq, ...rest } = reset;
  const { lastSeq: none, ...fresh } = team;
  assert.deepEqual(rest, fresh);
  assert.deepEqual([lastSeq, none], [6, 0]);
});

test("a copy made from a snapshot stays equal to the host's state", () => {
  const host = fold(
    team,
    run,
    message("t", "user"),
    selected("ann"),
    turn("ann"),
    message("m1", "ann"),
    turnEnd("ann"),
  );
  const mirror = stateFromSnapshot(structuredClone(snapshotOf(host)));
  assert.deepEqual(snapshotOf(mirror), snapshotOf(host));
  const rest = [
    selected("bob"),
    { type: "message/started", messageId: "m2", source: "bob" },
    { type: "message/chunk", messageId: "m2", source: "bob", delta: "x" },
    message("m2", "bob"),
    ended("done", { resets: true }),
  ] satisfies (DurableDraft | TransientDraft)[];
  assert.deepEqual(snapshotOf(fold(mirror, ...rest)), snapshotOf(fold(host, ...rest)));
});
