import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { EventPublisher, type EventSource, STORED } from "./event-publisher.ts";

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
  if (event.type === "handoff") return `handoff ${event.seq}`;
  return event.type === "tool/output" ? `${event.ref} ${event.delta}` : event.type;
}

/** A journal whose events are handed to the writer, and stored, when the test says so. */
class ManualSource implements EventSource {
  position = 0;
  #sent = 0;
  #stored = 0;

  isTold(position: number): boolean {
    return position <= this.#stored;
  }

  isQueued(position: number): boolean {
    return position > this.#sent;
  }

  settled(): undefined {}

  send(): void {
    this.#sent = this.position;
  }

  store(position = this.position): void {
    this.#stored = position;
    this.#sent = Math.max(this.#sent, position);
  }
}

function publishing() {
  const sent: string[] = [];
  const publisher = new EventPublisher();
  const client = { tell: (teamId: string, event: TeamEvent) => void sent.push(`${teamId} ${described(event)}`) };
  const source = new ManualSource();
  const publish = (event: TeamEvent, teamId = "t"): void => {
    source.position++;
    publisher.publish(teamId, event, source);
  };
  return { publisher, client, source, sent, publish };
}

describe("the events that a client is sent", () => {
  it("are sent in order once they are stored, with consecutive chunks of one message merged", () => {
    const { publisher, client, source, sent, publish } = publishing();
    publisher.follow("t", client)();
    for (const delta of ["a", "b"]) publish(chunk(delta));
    publish(chunk("x", "n"));
    publish(chunk("c"));
    publish(handoff(1));
    publish(chunk("d"));
    publisher.stored("t");
    assert.deepEqual(sent, []);
    source.store();
    publisher.stored("t");
    assert.deepEqual(sent, ["t m ab", "t n x", "t m c", "t handoff 1", "t m d"]);
  });

  it("do not get text that is not stored with them", () => {
    const { publisher, client, source, sent, publish } = publishing();
    publisher.follow("t", client)();
    publish(chunk("stored "));
    source.send();
    publish(chunk("not yet"));
    source.store(1);
    publisher.stored("t");
    assert.deepEqual(sent, ["t m stored "]);
    source.store();
    publisher.stored("t");
    assert.deepEqual(sent, ["t m stored ", "t m not yet"]);
  });

  it("keep the output of calls that run at the same time apart", () => {
    const { publisher, client, source, sent, publish } = publishing();
    publisher.follow("t", client)();
    for (const [ref, delta] of [
      ["1", "a"],
      ["1", "b"],
      ["2", "c"],
      ["1", "d"],
    ] as const) {
      publish(output(ref, delta));
    }
    source.store();
    publisher.stored("t");
    assert.deepEqual(sent, ["t 1 ab", "t 2 c", "t 1 d"]);
  });

  it("are not those that will never be stored", () => {
    const { publisher, client, source, sent, publish } = publishing();
    publisher.follow("t", client)();
    publish(handoff(1));
    publisher.drop("t", source);
    publisher.publish("t", handoff(1), STORED);
    source.store();
    publisher.stored("t");
    assert.deepEqual(sent, ["t handoff 1"]);
  });

  it("are not held up by those that will never be stored", () => {
    const { publisher, client, source, sent, publish } = publishing();
    publisher.follow("t", client)();
    publish(handoff(1));
    publisher.publish("t", handoff(2), STORED);
    publisher.drop("t", source);
    assert.deepEqual(sent, ["t handoff 2"]);
  });

  it("of a team that is being opened come after the answer, without those that the answer has", () => {
    const { publisher, client, source, sent, publish } = publishing();
    publish(handoff(1));
    const answered = publisher.follow("t", client);
    publish(handoff(2));
    source.store();
    publisher.stored("t");
    assert.deepEqual(sent, []);
    answered();
    assert.deepEqual(sent, ["t handoff 2"]);
  });

  it("are only those of the teams that it has opened", () => {
    const { publisher, client, sent } = publishing();
    publisher.publish("t", handoff(1), STORED);
    publisher.follow("t", client)();
    publisher.unfollow("t");
    publisher.publish("t", handoff(2), STORED);
    assert.deepEqual(sent, []);
  });
});
