import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { EventPublisher, STORED } from "./event-publisher.ts";

const at = "2026-01-01T00:00:00.000Z";
const chunk = (delta: string, messageId = "m"): TeamEvent => ({
  at,
  type: "message/chunk",
  messageId,
  source: "a",
  delta,
});
const output = (ref: string, delta: string): TeamEvent => ({ at, type: "tool/output", ref, delta });
const handoff = (seq: number): TeamEvent => ({ seq, at, type: "handoff", from: "a", to: "b" });

function described(event: TeamEvent): string {
  if (event.type === "message/chunk") return `${event.messageId} ${event.delta}`;
  return event.type === "tool/output" ? `${event.ref} ${event.delta}` : event.type;
}

function recordingPublisher() {
  const sent: string[] = [];
  const publisher = new EventPublisher({
    send: (teamId, event) => sent.push(`${teamId} ${described(event)}`),
    commit: () => sent.push("commit"),
    warn: (message) => sent.push(message),
  });
  return { publisher, sent };
}

describe("the events that a client is sent", () => {
  it("are committed together and then sent in order, with consecutive chunks of one message merged", async () => {
    const { publisher, sent } = recordingPublisher();
    publisher.follow("t");
    await nextTurn();
    sent.length = 0;
    const log = { flush: () => void sent.push("write"), isBroken: false };
    for (const delta of ["a", "b"]) publisher.publish("t", chunk(delta), log);
    publisher.publish("t", chunk("x", "n"), log);
    publisher.publish("t", chunk("c"), log);
    publisher.publish("t", handoff(1), log);
    publisher.publish("t", chunk("d"), log);
    assert.deepEqual(sent, []);
    await nextTurn();
    assert.deepEqual(sent, ["write", "commit", "t m ab", "t n x", "t m c", "t handoff", "t m d"]);
  });

  it("keep the output of calls that run at the same time apart", async () => {
    const { publisher, sent } = recordingPublisher();
    publisher.follow("t");
    await nextTurn();
    sent.length = 0;
    for (const [ref, delta] of [
      ["1", "a"],
      ["1", "b"],
      ["2", "c"],
      ["1", "d"],
    ] as const) {
      publisher.publish("t", output(ref, delta), STORED);
    }
    publisher.flush();
    assert.deepEqual(sent, ["commit", "t 1 ab", "t 2 c", "t 1 d"]);
  });

  it("are not sent when they cannot be stored", async () => {
    const { publisher, sent } = recordingPublisher();
    publisher.follow("t");
    await nextTurn();
    sent.length = 0;
    const failing = {
      isBroken: true,
      flush: () => {
        throw new Error("disk full");
      },
    };
    publisher.publish("t", handoff(1), failing);
    publisher.flush();
    assert.deepEqual(sent, ["disk full", "commit"]);
  });

  it("of a team that is being opened come after the answer", async () => {
    const { publisher, sent } = recordingPublisher();
    publisher.follow("t");
    publisher.publish("t", handoff(1), STORED);
    publisher.flush();
    assert.deepEqual(
      sent.filter((line) => line !== "commit"),
      [],
    );
    await nextTurn();
    assert.ok(sent.includes("t handoff"));
  });

  it("are only those of the teams that it has opened", async () => {
    const { publisher, sent } = recordingPublisher();
    publisher.publish("t", handoff(1), STORED);
    publisher.follow("t");
    publisher.unfollow("t");
    publisher.publish("t", handoff(2), STORED);
    await nextTurn();
    assert.deepEqual(
      sent.filter((line) => line !== "commit"),
      [],
    );
  });
});
