import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../shared/contract/message.ts";
import { initialTeamState, type TeamState } from "../../shared/state/team-state.ts";
import { hasPartial, partialsOf } from "./partial-messages.ts";

const empty = (name: string): TeamState =>
  initialTeamState(name, { name, kind: "roundRobin", participants: [{ name: "ann" }] });
const message = (id: string, minute: number): ChatMessage => ({
  id,
  type: "TextMessage",
  source: "ann",
  content: `said ${id}`,
  createdAt: `2026-01-01T00:0${minute}:00.000Z`,
});
const cut = (id: string, minute: number): ChatMessage => ({ ...message(id, minute), partial: true });

test("partial messages are found in nested teams too, once each, the latest first", () => {
  const outer = cut("outer", 1);
  const state: TeamState = {
    ...empty("T"),
    thread: [outer, message("whole", 2)],
    inner: { research: { ...empty("R"), thread: [outer, cut("inner", 3)] } },
  };
  assert.deepEqual(partialsOf(state), [
    { id: "inner", source: "ann", text: "said inner", path: ["research"] },
    { id: "outer", source: "ann", text: "said outer", path: [] },
  ]);
  assert.equal(hasPartial(state), true);
});

test("a team whose messages are all complete has no partial ones", () => {
  const state: TeamState = { ...empty("T"), thread: [message("whole", 1)], inner: { research: empty("R") } };
  assert.deepEqual(partialsOf(state), []);
  assert.equal(hasPartial(state), false);
});
