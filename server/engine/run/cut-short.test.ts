import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "../../../shared/contract/message-text.ts";
import { createTeam } from "../create-team.ts";
import type { Participant } from "../participants/participant.ts";

/** A participant whose turn ends before its time. */
const lost: Participant = {
  name: "ann",
  takeTurn: async (turn) => {
    turn.emit({ type: "message/started", messageId: "m", source: "ann" });
    turn.emit({ type: "message/chunk", messageId: "m", source: "ann", delta: "I was about to" });
    return { kind: "cutShort", message: "ann was lost." };
  },
};
const well: Participant = {
  name: "bob",
  takeTurn: async () => ({ kind: "reply", reply: { type: "TextMessage", content: "I am here." } }),
};

test("a turn that ends before its time keeps what was said, says why, and the next participant speaks", async () => {
  const team = createTeam({
    definition: { name: "T", kind: "roundRobin", participants: [{ name: "ann" }, { name: "bob" }], maxTurns: 2 },
    parts: { participant: ({ name }) => (name === "ann" ? lost : well) },
  });
  const errors: string[] = [];
  team.onEvent((event) => {
    if (event.type === "error") errors.push(event.message);
  });

  const { status, messages } = await team.run("go");

  assert.deepEqual(status, { code: "success" });
  assert.deepEqual(
    messages.map((message) => [message.source, textOf(message), message.partial]),
    [
      ["user", "go", undefined],
      ["ann", "I was about to", true],
      ["bob", "I am here.", undefined],
    ],
  );
  assert.deepEqual(errors, ["ann was lost."]);
});
