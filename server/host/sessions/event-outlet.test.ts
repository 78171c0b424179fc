import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { EventOutlet, KEPT } from "./event-outlet.ts";

const at = "2026-01-01T00:00:00.000Z";
const chunk = (delta: string, messageId = "m"): TeamEvent => ({
  at,
  type: "message/chunk",
  messageId,
  source: "a",
  delta,
});
const handoff = (seq: number): TeamEvent => ({ seq, at, type: "handoff", from: "a", to: "b" });

function outlet() {
  const told: string[] = [];
  const made = new EventOutlet({
    send: (teamId, event) =>
      told.push(`${teamId} ${event.type === "message/chunk" ? `${event.messageId} ${event.delta}` : event.type}`),
    commit: () => told.push("commit"),
    warn: (message) => told.push(message),
  });
  return { events: made, told };
}

describe("the events that a client is told", () => {
  it("are committed together and then told in order, the chunks of one message that follow each other as one", async () => {
    const { events, told } = outlet();
    events.follow("t");
    await nextTurn();
    told.length = 0;
    const writing = { flush: () => void told.push("write"), isBroken: false };
    for (const delta of ["a", "b"]) events.tell("t", chunk(delta), writing);
    events.tell("t", chunk("x", "n"), writing);
    events.tell("t", chunk("c"), writing);
    events.tell("t", handoff(1), writing);
    events.tell("t", chunk("d"), writing);
    assert.deepEqual(told, []);
    await nextTurn();
    assert.deepEqual(told, ["write", "commit", "t m ab", "t n x", "t m c", "t handoff", "t m d"]);
  });

  it("are told to nobody when they can not be kept", async () => {
    const { events, told } = outlet();
    events.follow("t");
    await nextTurn();
    told.length = 0;
    const failing = {
      isBroken: true,
      flush: () => {
        throw new Error("disk full");
      },
    };
    events.tell("t", handoff(1), failing);
    events.flush();
    assert.deepEqual(told, ["disk full", "commit"]);
  });

  it("of a team that is being opened come after the answer to that", async () => {
    const { events, told } = outlet();
    events.follow("t");
    events.tell("t", handoff(1), KEPT);
    events.flush();
    assert.deepEqual(
      told.filter((line) => line !== "commit"),
      [],
    );
    await nextTurn();
    assert.ok(told.includes("t handoff"));
  });

  it("are those of the teams that it has opened alone", async () => {
    const { events, told } = outlet();
    events.tell("t", handoff(1), KEPT);
    events.follow("t");
    events.unfollow("t");
    events.tell("t", handoff(2), KEPT);
    await nextTurn();
    assert.deepEqual(
      told.filter((line) => line !== "commit"),
      [],
    );
  });
});
