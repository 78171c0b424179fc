import assert from "node:assert/strict";
import { test } from "node:test";
import { InProcessRuntime } from "./in-process-runtime.ts";
import { AbandonedError, type Address, type Topic, UndeliveredError } from "./runtime.ts";

const agent: Address<string, string> = { id: "agent" };
const other: Address<string, string> = { id: "other" };
const news: Topic<string> = { id: "news" };

const newRuntime = (): InProcessRuntime =>
  new InProcessRuntime((error) => {
    throw error;
  });

/** An agent whose messages end when the test says so; `whenStarted` resolves when the agent has started on a message. */
function heldAgent(runtime: InProcessRuntime, options?: { readonly serial?: boolean }) {
  const started: string[] = [];
  const holds = new Map<
    string,
    { readonly whenStarted: PromiseWithResolvers<void>; readonly ended: PromiseWithResolvers<string> }
  >();
  const hold = (message: string) => {
    const known = holds.get(message) ?? {
      whenStarted: Promise.withResolvers<void>(),
      ended: Promise.withResolvers<string>(),
    };
    holds.set(message, known);
    return known;
  };
  const work = (message: string): Promise<string> => {
    started.push(message);
    hold(message).whenStarted.resolve();
    return hold(message).ended.promise;
  };
  runtime.register(agent, work, options);
  return {
    started,
    whenStarted: (message: string) => hold(message).whenStarted.promise,
    end: (message: string) => hold(message).ended.resolve(`re: ${message}`),
  };
}

test("a message to one agent resolves with its answer", async () => {
  const runtime = newRuntime();
  runtime.register(agent, async (message) => `re: ${message}`);

  assert.equal(await runtime.send(agent, "hello"), "re: hello");
});

test("the sender gets what the handler throws, synchronously or later, and the mailbox continues", async () => {
  const runtime = newRuntime();
  runtime.register(agent, (message) => {
    if (message === "at once") throw new Error("thrown at once");
    return message === "later" ? Promise.reject(new Error("thrown later")) : "fine";
  });

  await assert.rejects(runtime.send(agent, "at once"), /thrown at once/);
  await assert.rejects(runtime.send(agent, "later"), /thrown later/);
  assert.equal(await runtime.send(agent, "third"), "fine");
});

test("a message to an address without an agent is rejected with an error that says so", async () => {
  await assert.rejects(newRuntime().send(agent, "hello"), /No agent is registered at agent/);
});

test("an address belongs to one agent until the agent is unregistered", async () => {
  const runtime = newRuntime();
  const release = runtime.register(agent, () => "first");

  assert.throws(() => runtime.register(agent, () => "second"), /already registered at agent/);
  release();
  runtime.register(agent, () => "second");
  assert.equal(await runtime.send(agent, ""), "second");
});

test("a published message reaches every subscriber, in the order of publishing, and none that has unsubscribed", async () => {
  const runtime = newRuntime();
  const got: string[] = [];
  runtime.register(agent, (message) => `${got.push(`agent ${message}`)}`);
  runtime.register(other, (message) => `${got.push(`other ${message}`)}`);
  runtime.subscribe(news, agent);
  const leave = runtime.subscribe(news, other);

  runtime.publish(news, "1");
  runtime.publish(news, "2");
  leave();
  runtime.publish(news, "3");

  assert.deepEqual(got, ["agent 1", "other 1", "agent 2", "other 2", "agent 3"]);
});

test("an error of one subscriber is reported, and the other subscribers are reached", () => {
  const errors: unknown[] = [];
  const runtime = new InProcessRuntime((error) => errors.push(error));
  const got: string[] = [];
  const failure = new Error("no");
  runtime.register(agent, () => {
    throw failure;
  });
  runtime.register(other, (message) => `${got.push(message)}`);
  runtime.subscribe(news, agent);
  runtime.subscribe(news, other);

  runtime.publish(news, "1");

  assert.deepEqual(errors, [failure]);
  assert.deepEqual(got, ["1"]);
});

test("an agent processes its messages one at a time, in the order in which they were sent", async () => {
  const runtime = newRuntime();
  const { started, whenStarted, end } = heldAgent(runtime);

  const first = runtime.send(agent, "1");
  const second = runtime.send(agent, "2");
  assert.deepEqual(started, ["1"]);
  end("1");
  assert.equal(await first, "re: 1");
  await whenStarted("2");
  assert.deepEqual(started, ["1", "2"]);
  end("2");
  assert.equal(await second, "re: 2");
});

test("a message that a handler publishes to itself waits until the handler has ended", () => {
  const runtime = newRuntime();
  const order: string[] = [];
  runtime.register(agent, (message) => {
    order.push(`start ${message}`);
    if (message === "1") runtime.publish(news, "2");
    order.push(`end ${message}`);
    return "";
  });
  runtime.subscribe(news, agent);

  runtime.publish(news, "1");

  assert.deepEqual(order, ["start 1", "end 1", "start 2", "end 2"]);
});

test("an agent that is not serial processes several messages concurrently", async () => {
  const runtime = newRuntime();
  const { started, end } = heldAgent(runtime, { serial: false });

  const first = runtime.send(agent, "1");
  const second = runtime.send(agent, "2");
  assert.deepEqual(started, ["1", "2"]);
  end("2");
  assert.equal(await second, "re: 2");
  end("1");
  assert.equal(await first, "re: 1");
});

test("stop and start lose nothing: the running handler ends, and messages sent meanwhile are delivered in order", async () => {
  const runtime = newRuntime();
  const { started, whenStarted, end } = heldAgent(runtime);
  runtime.subscribe(news, agent);
  const first = runtime.send(agent, "1");
  const second = runtime.send(agent, "2");

  const stopped = runtime.stop();
  runtime.publish(news, "3");
  runtime.register(other, (message) => `other ${message}`);
  const late = runtime.send(other, "4");
  end("1");
  await stopped;
  assert.equal(await first, "re: 1");
  assert.deepEqual(started, ["1"]);

  runtime.start();
  assert.equal(await late, "other 4");
  end("2");
  await second;
  await whenStarted("3");
  assert.deepEqual(started, ["1", "2", "3"]);
});

test("a message that was aborted before its delivery is never delivered", async () => {
  const runtime = newRuntime();
  const { started, end } = heldAgent(runtime);
  const first = runtime.send(agent, "1");
  const aborter = new AbortController();
  const withdrawn = runtime.send(agent, "2", { signal: aborter.signal });
  const third = runtime.send(agent, "3");

  aborter.abort();
  await assert.rejects(withdrawn, UndeliveredError);
  await assert.rejects(runtime.send(agent, "4", { signal: AbortSignal.abort() }), UndeliveredError);
  end("1");
  await first;
  end("3");
  await third;

  assert.deepEqual(started, ["1", "3"]);
});

test("a handler sees the sender's abort and may still answer", async () => {
  const runtime = newRuntime();
  const aborter = new AbortController();
  runtime.register(
    agent,
    (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("so far"))),
  );

  const sent = runtime.send(agent, "", { signal: aborter.signal, graceMs: 60_000 });
  aborter.abort();

  assert.equal(await sent, "so far");
});

test("a handler that exceeds the grace period is abandoned: its mailbox continues, and its late answer is ignored", async () => {
  const runtime = newRuntime();
  const { started, end } = heldAgent(runtime);
  const aborter = new AbortController();
  const first = runtime.send(agent, "1", { signal: aborter.signal, graceMs: 1 });
  const second = runtime.send(agent, "2");

  aborter.abort();
  await assert.rejects(first, AbandonedError);
  assert.deepEqual(started, ["1", "2"]);
  const third = runtime.send(agent, "3");
  end("1");
  await assert.rejects(first, AbandonedError);
  assert.deepEqual(
    started,
    ["1", "2"],
    "the late end of the first message starts no other before the second has ended",
  );
  end("2");
  assert.equal(await second, "re: 2");
  end("3");
  assert.equal(await third, "re: 3");
});

test("stopping does not wait for a handler that was abandoned", async () => {
  const runtime = newRuntime();
  heldAgent(runtime);
  const aborter = new AbortController();
  const sent = runtime.send(agent, "1", { signal: aborter.signal, graceMs: 1 });
  aborter.abort();
  await assert.rejects(sent, AbandonedError);

  await runtime.stop();
});
