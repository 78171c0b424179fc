import assert from "node:assert/strict";
import { test } from "node:test";
import { interruptAt } from "../testing/interrupt-at.ts";
import { aborted, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/team.ts";

const chunks = Array.from({ length: 40 }, (_, at) => `w${at} `);

test("interrupted at chunk 10 of 40: exactly those 10 stand as a partial, the next request has them once, and the same speaker goes on", async () => {
  const ann = new ScriptedModel(say(...chunks), say("the rest"));
  const bob = new ScriptedModel(say("bob"));
  const it = testTeam({ speakers: { ann, bob }, maxTurns: 2 });

  const interrupting = interruptAt(it.team, "message/chunk", 10);
  const result = await it.team.run("t");
  const receipt = await interrupting;

  const ten = chunks.slice(0, 10).join("");
  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(result.status, { code: "interrupted", reason: "external_interrupt" });
  assert.deepEqual(it.said(), ["user: t", `ann: ${ten}…`]);
  assert.deepEqual(result.messages, it.team.state.thread);
  assert.deepEqual(receipt.partials, it.team.state.thread.slice(1));
  assert.deepEqual(
    [receipt.wasRunning, receipt.severity, receipt.stopReason, receipt.status],
    [true, "pause", "USER_INTERRUPT", "paused"],
  );
  assert.equal(it.team.state.interrupted, true);

  await it.team.run();
  assert.deepEqual(ann.lastItems, [
    { role: "user", source: "user", content: "t" },
    { role: "assistant", content: ten, calls: [], partial: true },
  ]);
  assert.deepEqual(it.said(), ["user: t", `ann: ${ten}…`, "ann: the rest", "bob: bob"]);
  assert.deepEqual(
    bob.lastItems.map((item) => "content" in item && item.content),
    ["t", ten, "the rest"],
  );
  assert.equal(it.team.state.interrupted, false);
});

test("the chunks of a partial carry its id, and joined they are its content", async () => {
  const it = testTeam({ speakers: { ann: new ScriptedModel(say(...chunks)) } });
  const interrupting = interruptAt(it.team, "message/chunk", 3);
  await it.team.run("t");
  const [partial] = (await interrupting).partials;

  const streamed = it.events.filter((event) => event.type === "message/chunk" && event.messageId === partial?.id);
  assert.equal(streamed.map((event) => (event.type === "message/chunk" ? event.delta : "")).join(""), partial?.content);
});

test("a speaker that is code and streams is interrupted with its partial kept", async () => {
  async function* stream() {
    yield* chunks;
  }
  const it = testTeam({ speakers: { ann: () => stream() } });
  const interrupting = interruptAt(it.team, "message/chunk", 2);

  await it.team.run("t");

  assert.deepEqual(it.said(), ["user: t", "ann: w0 w1 …"]);
  await interrupting;
});

test("thread, turn count, next speaker and condition counters are unchanged by an interrupt", async () => {
  const hold = Promise.withResolvers<string>();
  const first = [hold.promise];
  const it = testTeam({
    speakers: { ann: () => "ann", bob: () => first.shift() ?? "bob" },
    termination: { maxMessages: 4 },
    maxTurns: 10,
  });
  const speaking = it.next("reasoning/start", 2);
  const run = it.team.run("t");
  await speaking;
  hold.resolve("too late");
  const receipt = await it.team.interrupt();

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(it.said(), ["user: t", "ann: ann"]);
  assert.equal(it.team.state.turn, 1);
  assert.deepEqual(receipt.partials, []);

  const resumed = await it.team.run();
  assert.deepEqual(it.said(), ["user: t", "ann: ann", "bob: bob", "ann: ann"]);
  assert.equal(resumed.stopReason, "Maximum number of messages 4 reached, current message count: 4");
});

test("after the acknowledgement nothing more is published, selected or asked of a model", async () => {
  const ann = new ScriptedModel(say(...chunks));
  const it = testTeam({ speakers: { ann, bob: ann } });
  const interrupting = interruptAt(it.team, "message/chunk", 5);
  await it.team.run("t");
  await interrupting;

  const after = it.types().slice(it.types().indexOf("interrupt/acknowledged") + 1);
  assert.deepEqual(after, ["message/added", "reasoning/conclusion", "run/ended", "interrupt/completed"]);
  assert.equal(ann.requests.length, 1);
});

test("the receipt's times are in order, and the event that completes the interrupt is the receipt", async () => {
  const it = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = it.next("reasoning/start");
  const run = it.team.run("t");
  await speaking;
  const receipt = await it.team.interrupt({ reason: "enough", message: "thanks", by: "eve" });
  await run;

  assert.ok(receipt.requestedAt <= receipt.acknowledgedAt && receipt.acknowledgedAt <= receipt.quiescedAt);
  const { seq, at, type, ...completed } = it.events.at(-1) as unknown as Record<string, unknown>;
  assert.equal(type, "interrupt/completed");
  assert.deepEqual(completed, receipt);
  const requested = it.events.find((event) => event.type === "interrupt/requested");
  assert.deepEqual(requested?.type === "interrupt/requested" && [requested.by, requested.reason, requested.message], [
    "eve",
    "enough",
    "thanks",
  ]);
});

test("a participant that hangs is abandoned after the grace, and its late reply is neither said nor picks the next speaker", async () => {
  const hold = Promise.withResolvers<string>();
  const first = [hold.promise];
  const it = testTeam({
    speakers: { ann: () => first.shift() ?? "ann again", bob: () => "bob" },
    maxTurns: 1,
    graceMs: 1,
  });
  const speaking = it.next("reasoning/start");
  const run = it.team.run("t");
  await speaking;

  const receipt = await it.team.interrupt();
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.equal(receipt.status, "paused");
  const events = it.events.length;
  hold.resolve("late");
  await hold.promise;
  assert.equal(it.events.length, events);

  await it.team.run();
  assert.deepEqual(it.said(), ["user: t", "ann: ann again"]);
});

test("a model that does not listen is abandoned, and what it streams late is nobody's", async () => {
  const hold = Promise.withResolvers<void>();
  const ann = new ScriptedModel([...say("a "), { type: "hang", until: hold.promise }, ...say("late")], say("b"));
  const it = testTeam({ speakers: { ann }, maxTurns: 1, graceMs: 1 });
  const streaming = it.next("message/chunk");
  const run = it.team.run("t");
  await streaming;
  await it.team.interrupt();
  await run;

  const resumed = it.team.run();
  hold.resolve();
  await resumed;

  assert.deepEqual(it.said(), ["user: t", "ann: a …", "ann: b"]);
});

test("two interrupts, in a row or at once: one USER_INTERRUPT, both resolve", async () => {
  const it = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = it.next("reasoning/start");
  const run = it.team.run("t");
  await speaking;

  const [first, second] = await Promise.all([it.team.interrupt(), it.team.interrupt()]);
  const third = await it.team.interrupt();

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(first, second);
  assert.equal(third.wasRunning, false);
  assert.equal(third.stopReason, null);
  assert.equal(it.types().filter((type) => type === "run/ended").length, 1);
});

test("requested before the handler starts: no speaker is called, and the status is interrupted", async () => {
  for (const type of ["run/started", "message/added", "speaker/selected", "reasoning/start"] as const) {
    let called = 0;
    const ann = new ScriptedModel();
    const it = testTeam({ speakers: { bob: () => `${called++}`, ann } });
    const interrupting = interruptAt(it.team, type);

    const result = await it.team.run("t");

    assert.equal(result.status.code, "interrupted", type);
    assert.equal((await interrupting).wasRunning, true, type);
    assert.deepEqual([called, ann.requests.length], [0, 0], type);
    assert.deepEqual(it.said(), ["user: t"], `${type}: the task is kept`);
  }
});

test("a team whose speakers take no time and know no end hears an interrupt", async () => {
  const it = testTeam({ speakers: { ann: () => "ann", bob: () => "bob" } });
  const run = it.team.run("t");

  await new Promise((resolve) => setImmediate(resolve));
  await it.team.interrupt();

  assert.equal((await run).stopReason, "USER_INTERRUPT");
});
