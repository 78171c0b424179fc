import assert from "node:assert/strict";
import { Readable, Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { AgentError } from "../agents/agent-error.ts";
import { messageStream } from "./message-stream.ts";

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const request = (id: number): string => line({ jsonrpc: "2.0", id, method: "x" });

const streamOf = (output: Iterable<string | Buffer>, input = new Writable({ write: (_, __, done) => done() })) =>
  messageStream({ input, output: Readable.from(output, { objectMode: false }) }, async () => {});

/** The messages of an output until it ends. */
async function messagesOf(output: Iterable<string | Buffer>): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of streamOf(output).readable) messages.push(message);
  return messages;
}

test("Lines that are no message are passed over, up to a number of them", async () => {
  const noise = ["\n", "Starting…\n", "[1]\n", '{"jsonrpc":"1.0"}\n', '{"jsonrpc":"2.0"', "\n", "\r\n"];
  assert.deepEqual(await messagesOf([...noise, request(1)]), [{ jsonrpc: "2.0", id: 1, method: "x" }]);
  const endless = (function* () {
    for (;;) yield "no message\n";
  })();
  await assert.rejects(
    messagesOf(endless),
    (error) => error instanceof AgentError && /not JSON-RPC/.test(error.message),
  );
});

test("A message that is divided within a character is whole, and bytes that are no text harm none", async () => {
  const bytes = Buffer.from(line({ jsonrpc: "2.0", method: "ä€👍" }));
  const parts = Array.from(bytes, (byte) => Buffer.from([byte]));
  const broken = Buffer.from([0xff, 0xfe, 0xc0, 0x0a]);
  assert.deepEqual(await messagesOf([broken, ...parts]), [{ jsonrpc: "2.0", method: "ä€👍" }]);
});

test("A line without an end, a text that is too long, and nesting without end are refused", async () => {
  const endless = (function* () {
    for (;;) yield Buffer.alloc(1024 * 1024, "x");
  })();
  await assert.rejects(messagesOf(endless), /more than 32 MB/);
  await assert.rejects(messagesOf([line({ jsonrpc: "2.0", a: "x".repeat(20_000_000) })]), AgentError);
  await assert.rejects(messagesOf([`{"jsonrpc":"2.0","a":${"[".repeat(500)}${"]".repeat(500)}}\n`]), /nested too deep/);
});

test("A program that asks and never reads what it is answered is read no more until it does", async () => {
  const asking = (function* () {
    for (let id = 0; ; id += 1) yield request(id);
  })();
  const held: (() => void)[] = [];
  const { readable, writable } = streamOf(asking, new Writable({ write: (_, __, done) => void held.push(done) }));
  const writer = writable.getWriter();
  const reader = readable.getReader();
  const result = "x".repeat(1_000_000);
  for (let id = 0; id < 64; id += 1) {
    await reader.read();
    void writer.write({ jsonrpc: "2.0", id, result });
  }
  let isRead = false;
  const next = reader.read().then(() => {
    isRead = true;
  });
  for (let turn = 0; turn < 200; turn += 1) await setImmediate();
  assert.equal(isRead, false);
  for (let done = held.shift(); done !== undefined; done = held.shift()) {
    done();
    await setImmediate();
  }
  await next;
});
