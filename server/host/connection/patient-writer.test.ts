import assert from "node:assert/strict";
import { test } from "node:test";
import { AbstractMessageWriter, type Message } from "vscode-languageserver/node";
import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import type { Outlet } from "./outlet.ts";
import { PatientWriter } from "./patient-writer.ts";

/** A client that reads only when a test says so. */
class Client extends AbstractMessageWriter implements Outlet {
  readonly received: string[] = [];
  isFull = false;
  #drained = Promise.withResolvers<void>();

  drained(): Promise<void> {
    return this.isFull ? this.#drained.promise : Promise.resolve();
  }

  write(message: Message): Promise<void> {
    this.received.push(nameOf(message as Sent));
    return Promise.resolve();
  }

  end(): void {}

  /** Reads everything that waits. */
  async read(): Promise<void> {
    this.isFull = false;
    this.#drained.resolve();
    await new Promise(setImmediate);
  }
}

interface Sent {
  readonly id?: number;
  readonly params?: { readonly message?: string; readonly event?: TeamEvent };
}

/** An event by its number or its text, another message by its id or its text. */
function nameOf({ id, params: { event, message } = {} }: Sent): string {
  if (event === undefined) return id === undefined ? (message ?? "") : `answer ${id}`;
  return "seq" in event ? `${event.seq}` : "delta" in event ? event.delta : "";
}

const at = "2026-01-01T00:00:00.000Z";
const started = (seq: number, messageId: string): DurableEvent => ({
  seq,
  at,
  type: "message/started",
  messageId,
  source: "ann",
});
const added = (seq: number, id: string): DurableEvent => ({
  seq,
  at,
  type: "message/added",
  message: { id, type: "TextMessage", source: "ann", content: "", createdAt: at },
});
const chunk = (messageId: string, delta: string): TeamEvent => ({
  at,
  type: "message/chunk",
  messageId,
  source: "ann",
  delta,
});

function writerTo(client: Client) {
  const stored: DurableEvent[] = [];
  const pages: number[] = [];
  const writer = new PatientWriter(client);
  writer.readEvents = async (_, after, limit) => {
    const page = stored.filter(({ seq }) => seq > after).slice(0, limit);
    pages.push(page.length);
    return page;
  };
  const send = (message: object): void => void writer.write({ jsonrpc: "2.0", ...message });
  return {
    stored,
    pages,
    tell: (event: TeamEvent, teamId = "t") => {
      if ("seq" in event && teamId === "t") stored.push(event);
      send({ method: "team/event", params: { teamId, event } });
    },
    answer: (id: number) => send({ id, result: null }),
    log: (message: string) => send({ method: "window/logMessage", params: { type: 3, message } }),
  };
}

test("a client that reads is sent everything at once, in order", () => {
  const client = new Client();
  const { tell, answer, log } = writerTo(client);
  tell(started(1, "m"));
  tell(chunk("m", "a"));
  answer(1);
  log("line");
  assert.deepEqual(client.received, ["1", "a", "answer 1", "line"]);
});

test("a client that reads again gets the stored events page by page, open messages as one text, and answers in their place", async () => {
  const client = new Client();
  const { tell, answer, pages } = writerTo(client);
  tell(started(1, "m"));
  client.isFull = true;
  tell(chunk("m", "a"));
  tell(chunk("m", "b"));
  for (let seq = 2; seq <= 40; seq++) tell(started(seq, `m${seq}`));
  tell(chunk("m40", "c"));
  tell(chunk("m", "d"));
  answer(1);
  tell(added(41, "m"));
  tell(chunk("m40", "e"));
  await client.read();

  const numbers = Array.from({ length: 39 }, (_, index) => `${index + 2}`);
  assert.deepEqual(client.received, ["1", "a", ...numbers, "bd", "c", "answer 1", "41", "e"]);
  assert.deepEqual(client.received.slice(-4), ["c", "answer 1", "41", "e"]);
  assert.deepEqual(
    client.received.filter((name) => /^\d+$/.test(name)),
    ["1", ...numbers, "41"],
  );
  assert.ok(pages.every((length) => length <= 16));
  tell(chunk("m40", "f"));
  assert.equal(client.received.at(-1), "f");
});

test("the text of a message that was completed meanwhile is not sent twice", async () => {
  const client = new Client();
  const { tell, answer } = writerTo(client);
  client.isFull = true;
  answer(1);
  tell(started(1, "m"));
  tell(chunk("m", "a"));
  tell(added(2, "m"));
  tell(started(3, "n"));
  tell(chunk("n", "b"));
  tell({
    seq: 4,
    at,
    type: "run/ended",
    stopReason: null,
    status: { code: "success" },
    usage: { prompt: 0, completion: 0, total: 0 },
  });
  await client.read();
  assert.deepEqual(client.received, ["answer 1", "1", "2", "3", "4"]);
});

test("events of several teams keep their order, and those that the store has lost are passed over", async () => {
  const client = new Client();
  const { tell, answer, stored } = writerTo(client);
  client.isFull = true;
  answer(1);
  tell(started(1, "m"));
  tell(chunk("other", "a"), "other");
  tell(started(2, "n"));
  tell(started(7, "lost"), "other");
  answer(2);
  tell(started(3, "o"));
  stored.pop();
  await client.read();
  assert.deepEqual(client.received, ["answer 1", "1", "2", "a", "answer 2"]);
});

test("lines of the log beyond a number are left out, and a line says how many", async () => {
  const client = new Client();
  const { log, answer } = writerTo(client);
  client.isFull = true;
  for (let line = 1; line <= 250; line++) log(`line ${line}`);
  answer(1);
  await client.read();
  assert.equal(client.received.length, 202);
  assert.deepEqual(client.received.slice(199), [
    "line 200",
    "answer 1",
    "50 lines of the log were left out, because the client did not read.",
  ]);
  client.isFull = true;
  for (let line = 1; line <= 200; line++) log("again");
  await client.read();
  assert.equal(client.received.length, 402);
});
