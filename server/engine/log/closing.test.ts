import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { OpenCall } from "../../../shared/contract/team.ts";
import { EMPTY_STATE, initialTeamState, type TeamState } from "../../../shared/state/team-state.ts";
import { abandonCall, closingDrafts, closingDraftsOf } from "./closing.ts";

const definition = {
  name: "Test",
  kind: "roundRobin" as const,
  participants: ["ann", "bob", "lab"].map((name) => ({ name })),
};

const stateWith = (changes: Partial<TeamState>): TeamState => ({
  ...initialTeamState("t", definition),
  ...EMPTY_STATE,
  ...changes,
});

const message = (source: string, fields: Partial<ChatMessage> = {}): ChatMessage => ({
  id: `m-${source}`,
  type: "TextMessage",
  source,
  content: "text",
  createdAt: "2026-01-01T00:00:00.000Z",
  ...fields,
});

const handoffTo = (target: string): ChatMessage => message("ann", { type: "HandoffMessage", metadata: { target } });

const call = (ref: string, participant: string, fields: Partial<OpenCall> = {}): OpenCall => ({
  ref,
  name: "pay",
  input: {},
  participant,
  started: false,
  ...fields,
});

/** Each event in a few words. */
const summary = (drafts: readonly DurableDraft[]): string[] =>
  drafts.map((draft) => {
    switch (draft.type) {
      case "message/added":
        return `partial of ${draft.message.source}: ${draft.message.content}`;
      case "tool/executed":
        return `${draft.ref} has a result`;
      case "tool/interrupted":
        return `${draft.ref} is pending${draft.approval === undefined ? "" : ", for approval"}`;
      case "tool/abandoned":
        return `${draft.ref} is abandoned`;
      case "handoff":
        return `${draft.from} hands over to ${draft.to}`;
      case "userMessage/answered":
        return `${draft.id} is answered by ${draft.to}`;
      case "reasoning/conclusion":
        return `turn of ${draft.from} ${draft.interrupted ? "is interrupted" : "ends"}`;
      default:
        return draft.type;
    }
  });

const said = { id: "turn", participant: "ann", said: true as const };

test("a turn whose message was added ends as it would have, with the messages that it answers", () => {
  const state = stateWith({
    thread: [message("ann"), message("bob")],
    openTurns: [said, { id: "other", participant: "bob" }],
    due: [
      { id: "q1", to: "ann" },
      { id: "q2", to: "bob" },
    ],
  });
  assert.deepEqual(summary(closingDrafts(state, abandonCall, "keepPending")), [
    "turn of ann ends",
    "q1 is answered by ann",
    "turn of bob is interrupted",
  ]);
});

test("the handoff of a turn whose message was added is made, once", () => {
  const thread = [handoffTo("lab"), handoffTo("bob"), message("bob")];
  const end = (changes: Partial<TeamState>) =>
    summary(closingDrafts(stateWith({ openTurns: [said], ...changes }), abandonCall, "keepPending"));
  assert.deepEqual(end({ thread }), ["ann hands over to bob", "turn of ann ends"]);
  assert.deepEqual(end({ thread, handoffTo: "lab" }), ["ann hands over to bob", "turn of ann ends"]);
  assert.deepEqual(end({ thread, handoffTo: "bob" }), ["turn of ann ends"]);
  assert.deepEqual(end({ thread: [handoffTo("bob"), message("ann")] }), ["turn of ann ends"]);
});

test("a call that never started has a result that says so; one that the user restarted becomes pending again", () => {
  const state = stateWith({
    calls: [call("c1", "ann"), call("c2", "bob", { asked: { approval: true } })],
    openTurns: ["ann", "bob"].map((participant) => ({ id: participant, participant })),
  });
  assert.deepEqual(summary(closingDrafts(state, abandonCall, "keepPending")), [
    "c1 has a result",
    "c2 is pending, for approval",
    "turn of ann is interrupted",
  ]);
  assert.deepEqual(summary(closingDrafts(state, abandonCall, "dropPending")), [
    "c1 has a result",
    "c2 has a result",
    "turn of ann is interrupted",
    "turn of bob is interrupted",
  ]);
});

test("a call that runs on is abandoned, once", () => {
  const calls = [call("c1", "ann", { started: true }), call("c2", "ann", { started: true, abandoned: true })];
  assert.deepEqual(summary(closingDrafts(stateWith({ calls }), abandonCall, "keepPending")), ["c1 is abandoned"]);
});

test("the turns of those who wait for the user stay open where pending calls are kept", () => {
  const state = stateWith({
    pendingTools: [
      { ...call("c1", "ann"), interrupt: undefined },
      { ...call("c2", "eve"), path: ["lab"], interrupt: undefined },
    ],
    openTurns: [
      { id: "1", participant: "ann" },
      { id: "2", participant: "lab" },
      { id: "3", participant: "bob" },
      { id: "4", participant: "you", awaits: { participant: "you" } },
    ],
  });
  assert.deepEqual(summary(closingDrafts(state, abandonCall, "keepPending")), ["turn of bob is interrupted"]);
  assert.deepEqual(
    summary(closingDrafts(state, abandonCall, "dropPending")),
    // What is pending within the nested team is closed there.
    ["c1 has a result", ...["ann", "lab", "bob", "you"].map((name) => `turn of ${name} is interrupted`)],
  );
});

test("of one participant alone, everything is closed but its turn", () => {
  const pending = (ref: string, participant: string) => ({ ...call(ref, participant), interrupt: undefined });
  const state = stateWith({
    streaming: ["ann", "bob"].map((source) => ({ messageId: source, source, text: "half" })),
    calls: [call("c1", "ann"), call("c2", "bob")],
    pendingTools: [pending("c3", "ann"), pending("c4", "bob"), { ...pending("c5", "ann"), path: ["lab"] }],
    openTurns: [{ id: "turn", participant: "ann" }],
  });
  assert.deepEqual(summary(closingDraftsOf(state, "ann", "work")), [
    "partial of ann: half",
    "c1 has a result",
    "c3 has a result",
  ]);
});
