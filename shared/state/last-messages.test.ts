import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../contract/message.ts";
import { lastMessages } from "./last-messages.ts";
import { reduceTeam } from "./reducer.ts";
import { initialTeamState } from "./team-state.ts";

const at = "2026-01-01T00:00:00.000Z";
const LONG = "x".repeat(10_000_000);

const message = (id: number, content: ChatMessage["content"]): ChatMessage => ({
  id: String(id),
  type: "TextMessage",
  source: "ann",
  content,
  createdAt: at,
});

const ids = (messages: readonly ChatMessage[]): string => messages.map(({ id }) => id).join(" ");

test("the last messages are as many as fit, and at least the last one", () => {
  const long = [1, 2, 3, 4, 5].map((id) => message(id, LONG));
  assert.equal(ids(lastMessages(long, 200)), "3 4 5");
  assert.equal(ids(lastMessages(long, 2)), "4 5");
  assert.equal(ids(lastMessages([message(1, "short"), ...long, message(6, "short")], 200)), "3 4 5 6");
  assert.equal(ids(lastMessages([message(1, "short"), message(2, LONG.repeat(4))], 200)), "2");
  assert.equal(
    ids(lastMessages([message(1, { text: LONG.repeat(3) }), message(2, [{ type: "text", text: LONG }])], 9)),
    "2",
  );
  assert.deepEqual(lastMessages([], 200), []);
});

test("sixty messages of ten million characters make a state that fits into one JSON text", () => {
  let state = initialTeamState("t", { name: "Long", kind: "roundRobin", participants: [{ name: "ann" }] });
  for (let seq = 1; seq <= 60; seq++)
    state = reduceTeam(state, { seq, at, type: "message/added", message: message(seq, LONG) });
  assert.deepEqual([ids(state.thread), state.threadLength], ["58 59 60", 60]);
  assert.ok(JSON.stringify(state).length < 40_000_000);
});
