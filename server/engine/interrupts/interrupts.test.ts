import assert from "node:assert/strict";
import { test } from "node:test";
import { interruptAt } from "../testing/interrupt-at.ts";
import { aborted, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";

const chunks = Array.from({ length: 40 }, (_, at) => `w${at} `);

test("interrupted at chunk 10 of 40: exactly those 10 are kept as a partial, the next request has them once, and the same speaker continues", async () => {
  const ann = new ScriptedModel(say(...chunks), say("the rest"));
  const bob = new ScriptedModel(say("bob"));
  const { team, said } = testTeam({ speakers: { ann, bob }, maxTurns: 2 });

  const interrupting = interruptAt(team, "message/chunk", 10);
  const result = await team.run("t");
  const receipt = await interrupting;

  const ten = chunks.slice(0, 10).join("");
  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(result.status, {
    code: "interrupted",
    reason: "external_interrupt",
    message: "Execution interrupted with partial results",
  });
  assert.deepEqual(said(), ["user: t", `ann: ${ten}…`]);
  assert.deepEqual(result.messages, team.state.thread);
  assert.deepEqual(receipt.partials, team.state.thread.slice(1));
  assert.deepEqual(
    [receipt.wasRunning, receipt.severity, receipt.stopReason, receipt.status],
    [true, "pause", "USER_INTERRUPT", "paused"],
  );
  assert.equal(team.state.interrupted, true);

  await team.run();
  assert.deepEqual(ann.lastItems, [
    { role: "user", source: "user", content: "t" },
    { role: "assistant", content: ten, calls: [], partial: true },
  ]);
  assert.deepEqual(said(), ["user: t", `ann: ${ten}…`, "ann: the rest", "bob: bob"]);
  assert.deepEqual(
    bob.lastItems.map((item) => "content" in item && item.content),
    ["t", ten, "the rest"],
  );
  assert.equal(team.state.interrupted, false);
});

test("the chunks of a partial have its id, and joined they are its content", async () => {
  const { team, events } = testTeam({ speakers: { ann: new ScriptedModel(say(...chunks)) } });
  const interrupting = interruptAt(team, "message/chunk", 3);
  await team.run("t");
  const [partial] = (await interrupting).partials;

  const streamed = events.filter((event) => event.type === "message/chunk" && event.messageId === partial?.id);
  assert.equal(streamed.map((event) => (event.type === "message/chunk" ? event.delta : "")).join(""), partial?.content);
});

test("interrupted before a message has any text: no empty partial is left", async () => {
  const ann = new ScriptedModel(say(...chunks), say("all of it"));
  const { team, said } = testTeam({ speakers: { ann }, maxTurns: 1 });
  const interrupting = interruptAt(team, "message/started");

  await team.run("t");

  assert.deepEqual((await interrupting).partials, []);
  assert.deepEqual(said(), ["user: t"]);
  await team.run();
  assert.deepEqual(said(), ["user: t", "ann: all of it"]);
});

test("interrupting a streaming function participant keeps its partial", async () => {
  async function* stream() {
    yield* chunks;
  }
  const { team, said } = testTeam({ speakers: { ann: () => stream() } });
  const interrupting = interruptAt(team, "message/chunk", 2);

  await team.run("t");

  assert.deepEqual(said(), ["user: t", "ann: w0 w1 …"]);
  await interrupting;
});

test("thread, turn count, next speaker and condition counters are unchanged by an interrupt", async () => {
  const hold = Promise.withResolvers<string>();
  const first = [hold.promise];
  const { team, next, said } = testTeam({
    speakers: { ann: () => "ann", bob: () => first.shift() ?? "bob" },
    termination: { maxMessages: 4 },
    maxTurns: 10,
  });
  const speaking = next("reasoning/start", 2);
  const run = team.run("t");
  await speaking;
  hold.resolve("too late");
  const receipt = await team.interrupt();

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(said(), ["user: t", "ann: ann"]);
  assert.equal(team.state.turn, 1);
  assert.deepEqual(receipt.partials, []);

  const resumed = await team.run();
  assert.deepEqual(said(), ["user: t", "ann: ann", "bob: bob", "ann: ann"]);
  assert.equal(resumed.stopReason, "Maximum number of messages 4 reached, current message count: 4");
});

test("after the acknowledgement nothing more is published, no speaker is selected and no model is asked", async () => {
  const ann = new ScriptedModel(say(...chunks));
  const { team, types } = testTeam({ speakers: { ann, bob: ann } });
  const interrupting = interruptAt(team, "message/chunk", 5);
  await team.run("t");
  await interrupting;

  const after = types().slice(types().indexOf("interrupt/acknowledged") + 1);
  assert.deepEqual(after, ["message/added", "reasoning/conclusion", "run/ended", "interrupt/completed"]);
  assert.equal(ann.requests.length, 1);
});

test("the receipt's times are in order, and the event that completes the interrupt is the receipt", async () => {
  const { team, next, events } = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = next("reasoning/start");
  const run = team.run("t");
  await speaking;
  const receipt = await team.interrupt({ reason: "enough", message: "thanks", by: "eve" });
  await run;

  assert.ok(receipt.requestedAt <= receipt.acknowledgedAt && receipt.acknowledgedAt <= receipt.quiescedAt);
  const { seq, at, type, ...completed } = events.at(-1) as unknown as Record<string, unknown>;
  assert.equal(type, "interrupt/completed");
  assert.deepEqual(completed, receipt);
  const requested = events.find((event) => event.type === "interrupt/requested");
  assert.deepEqual(requested?.type === "interrupt/requested" && [requested.by, requested.reason, requested.message], [
    "eve",
    "enough",
    "thanks",
  ]);
});

test("a participant that hangs is abandoned after the grace period; its late reply is dropped and selects no speaker", async () => {
  const hold = Promise.withResolvers<string>();
  const first = [hold.promise];
  const fixture = testTeam({
    speakers: { ann: () => first.shift() ?? "ann again", bob: () => "bob" },
    maxTurns: 1,
    graceMs: 1,
  });
  const speaking = fixture.next("reasoning/start");
  const run = fixture.team.run("t");
  await speaking;

  const receipt = await fixture.team.interrupt();
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.equal(receipt.status, "paused");
  const events = fixture.events.length;
  hold.resolve("late");
  await hold.promise;
  assert.equal(fixture.events.length, events);

  await fixture.team.run();
  assert.deepEqual(fixture.said(), ["user: t", "ann: ann again"]);
});

test("a model that ignores the signal is abandoned, and what it streams late is dropped", async () => {
  const hold = Promise.withResolvers<void>();
  const ann = new ScriptedModel([...say("a "), { type: "hang", until: hold.promise }, ...say("late")], say("b"));
  const { team, next, said } = testTeam({ speakers: { ann }, maxTurns: 1, graceMs: 1 });
  const streaming = next("message/chunk");
  const run = team.run("t");
  await streaming;
  await team.interrupt();
  await run;

  const resumed = team.run();
  hold.resolve();
  await resumed;

  assert.deepEqual(said(), ["user: t", "ann: a …", "ann: b"]);
});

test("two interrupts, in a row or at the same time: one USER_INTERRUPT, both resolve", async () => {
  const { team, next, types } = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = next("reasoning/start");
  const run = team.run("t");
  await speaking;

  const [first, second] = await Promise.all([team.interrupt(), team.interrupt()]);
  const third = await team.interrupt();

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(first, second);
  assert.equal(third.wasRunning, false);
  assert.equal(third.stopReason, null);
  assert.equal(types().filter((type) => type === "run/ended").length, 1);
});

test("requested before the handler starts: no speaker is called, and the status is interrupted", async () => {
  for (const type of ["run/started", "message/added", "speaker/selected", "reasoning/start"] as const) {
    let called = 0;
    const ann = new ScriptedModel();
    const { team, said } = testTeam({ speakers: { bob: () => `${called++}`, ann } });
    const interrupting = interruptAt(team, type);

    const result = await team.run("t");

    assert.equal(result.status.code, "interrupted", type);
    assert.equal((await interrupting).wasRunning, true, type);
    assert.deepEqual([called, ann.requests.length], [0, 0], type);
    assert.deepEqual(said(), ["user: t"], `${type}: the task is kept`);
  }
});

test("a team whose speakers answer immediately and never stop can be interrupted", async () => {
  const { team } = testTeam({ speakers: { ann: () => "ann", bob: () => "bob" } });
  const run = team.run("t");

  await new Promise((resolve) => setImmediate(resolve));
  await team.interrupt();

  assert.equal((await run).stopReason, "USER_INTERRUPT");
});
