import assert from "node:assert/strict";
import { test } from "node:test";
import { limitsOf } from "../endpoint/answer-limits.ts";
import { eventsOf } from "./server-sent-events.ts";

const LIMITS = limitsOf({});

/** The events of a body that arrives in these pieces. */
async function read(...pieces: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const received: string[] = [];
  const bytes = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  for await (const events of eventsOf(bytes, LIMITS)) received.push(...events);
  return received;
}

test("each event's data is read, whatever its line ends, names, ids and comments", async () => {
  assert.deepEqual(await read("data: a\n\ndata:b\r\n\r\nevent: x\rid: 7\rdata: c\r\r: hello\n\nretry: 5\n\n"), [
    "a",
    "b",
    "c",
  ]);
});

test("a body may be split anywhere: within a character, a line end or a field", async () => {
  const body = Buffer.from('\ufeffdata: {"t":\r\ndata: "\u00fcber \u{1f600}"}\r\n\r\ndata: second\r\n\r\n');
  const whole = await read(body);
  assert.deepEqual(whole, ['{"t":\n"\u00fcber \u{1f600}"}', "second"]);
  for (let at = 0; at <= body.length; at += 1) {
    assert.deepEqual(await read(body.subarray(0, at), body.subarray(at)), whole, `cut at ${at}`);
  }
  assert.deepEqual(await read(...Array.from(body, (byte) => Uint8Array.of(byte))), whole);
});

test("the data lines of an event are joined, and an event without data is ignored", async () => {
  assert.deepEqual(await read("data: {\ndata: }\n\nevent: ping\n\ndata:\n\ndata: x\n\n"), ["{\n}", "x"]);
});

test("an unfinished event at the end is left out", async () => {
  assert.deepEqual(await read("data: a\n\ndata: b"), ["a"]);
  assert.deepEqual(await read("data: a\n\ndata: b\n"), ["a"]);
});

for (const [what, piece] of [
  ["a line", "data: x"],
  ["an event of many lines", "data: x\n"],
  ["a line without a field", "x"],
  ["a series of comments", ": x\n"],
  ["white space", "\n"],
  ["a series of events without data", "data:\n\n"],
  ["a series of names", "event: ping\n\n"],
] as const) {
  test(`${what} that never ends is refused`, async () => {
    async function* endless() {
      const bytes = Buffer.alloc(8 * 1024 * 1024, piece);
      for (;;) yield bytes;
    }
    await assert.rejects(async () => {
      for await (const events of eventsOf(endless(), LIMITS)) assert.deepEqual(events, []);
    }, /exceeded/);
  });
}

test("an answer of more bytes than its limit is refused, whatever its events are", async () => {
  async function* endless() {
    for (;;) yield Buffer.from("data: {}\n\n");
  }
  const received: string[] = [];
  await assert.rejects(async () => {
    for await (const events of eventsOf(endless(), { ...LIMITS, answerBytes: 1_000 })) received.push(...events);
  }, /exceeded/);
  assert.equal(received.length, 100);
});
