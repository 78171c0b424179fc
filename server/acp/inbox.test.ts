import assert from "node:assert/strict";
import { test } from "node:test";
import { Inbox } from "./inbox.ts";
import { LivePrompt } from "./live-prompt.ts";

const NEVER = new AbortController().signal;
const large = (text: string) => [{ type: "content" as const, content: { type: "text" as const, text } }];

test("An agent waits when what it tells of its calls, or asks, is not used yet, as with its texts", async () => {
  const inbox = new Inbox();
  const content = large("x".repeat(600_000));
  inbox.push({ kind: "call", update: { toolCallId: "c1", content } });
  assert.equal(inbox.hasRoom, true);
  inbox.push({ kind: "call", update: { toolCallId: "c1", rawInput: { deep: [{ text: "x".repeat(600_000) }] } } });
  assert.equal(inbox.hasRoom, false);
  const room = inbox.room();
  await inbox.next(NEVER);
  await room;
  const request = { input: { path: "a", content: "x".repeat(600_000) }, resolve: () => {}, reject: () => {} };
  inbox.push({ kind: "file", request: { tool: "writeFile", ...request } });
  assert.equal(inbox.hasRoom, false);
  inbox.drain();
  assert.equal(inbox.hasRoom, true);
});

test("While the user decides, a flood of updates of a call makes its agent wait", () => {
  const live = new LivePrompt("turn", undefined);
  live.detach();
  let sent = 0;
  for (; live.inbox.hasRoom; sent += 1)
    live.update({ sessionUpdate: "tool_call_update", toolCallId: `c${sent}`, content: large("x".repeat(100_000)) });
  assert.equal(sent, 10);
});

test("What an agent tells of its calls in one turn has an end, however it is divided", () => {
  const live = new LivePrompt("turn", undefined);
  const rawOutput = "x".repeat(10_000_000);
  for (let at = 0; at < 6; at += 1) {
    const update = { toolCallId: `c${at}`, rawOutput };
    const call = live.callOf(update);
    live.updateCall(call, update);
    // What replaces it does not count twice.
    live.updateCall(call, update);
  }
  const update = { toolCallId: "c6", rawOutput };
  assert.throws(() => live.updateCall(live.callOf(update), update), /more than 64,000,000 characters about its calls/);
});

test("Files that an agent reads without end are too many calls of one turn", () => {
  const live = new LivePrompt("turn", undefined);
  for (let at = 0; at < 5_000; at += 1) live.countCall();
  assert.throws(() => live.countCall(), /more than 5000 calls in one turn/);
});
