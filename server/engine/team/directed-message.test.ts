import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { aborted, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, names, type TestTeam, testTeam } from "../testing/test-team.ts";

const contents = ({ messages }: { readonly messages: readonly ChatMessage[] }): string[] =>
  messages.map(({ source, content }) => `${source}: ${content}`);

/** Resolves when the team's run has ended. */
const runEnd = ({ next }: TestTeam) => next("run/ended");

test("an unknown target is an error that names the participants, and the thread is unchanged", async () => {
  const { team, events } = testTeam({ speakers: names("ann", "bob") });

  await assert.rejects(team.sendUserMessage("cyd", ["hello"]), {
    message: 'The team has no participant "cyd"; its participants are ann, bob.',
    data: { code: "UnknownParticipant", name: "cyd", known: ["ann", "bob"] },
  });
  assert.deepEqual(events, []);
});

test("an unknown target, or no message at all, does not interrupt a run", async () => {
  const hold = Promise.withResolvers<string>();
  const { team } = testTeam({ speakers: { ann: () => hold.promise }, maxTurns: 1 });
  const run = team.run("t");

  await assert.rejects(team.sendUserMessage("cyd", ["hello"]), /no participant "cyd"/);
  await assert.rejects(team.sendUserMessage("ann", []), /at least one message/);
  hold.resolve("unharmed");

  assert.equal((await run).status.code, "success");
});

test("the message is once in the stream and once in the thread, before the reply; only the target answers; the others see it next", async () => {
  const ann = new ScriptedModel();
  const bob = new ScriptedModel(say("yes"), say("later"));
  const { team, said, types } = testTeam({ speakers: { ann, bob }, maxTurns: 2 });

  const result = await team.sendUserMessage("bob", ["you there?"], afterReply("pause"));

  assert.equal(result.stopReason, "USER_MESSAGE_COMPLETED");
  assert.deepEqual(result.status, { code: "success" });
  assert.deepEqual(contents(result), ["user: you there?", "bob: yes"]);
  assert.deepEqual(said(), ["user: you there?", "bob: yes"]);
  assert.equal(team.state.thread[0]?.type, "UserTextMessage");
  assert.equal(types().filter((type) => type === "message/added").length, 2);
  assert.deepEqual(bob.lastItems, [{ role: "user", source: "user", content: "you there?", directedTo: "bob" }]);
  assert.equal(ann.requests.length, 0);
  assert.equal(team.state.status, "paused");
  assert.deepEqual(
    types().filter((type) => type.startsWith("userMessage/")),
    ["userMessage/delivered", "userMessage/answered"],
  );

  await team.run();
  assert.deepEqual(ann.lastItems, [
    { role: "user", source: "user", content: "you there?", directedTo: "bob" },
    { role: "user", source: "bob", content: "yes" },
  ]);
});

test("then continue, the default: it resolves on the reply, and selection continues as usual after it", async () => {
  const fixture = testTeam({ speakers: names("ann", "bob", "cyd"), termination: { maxMessages: 5 } });
  await fixture.team.run("t").catch(assert.fail);
  const before = fixture.said().length;
  const ended = runEnd(fixture);

  const result = await fixture.team.sendUserMessage("bob", ["you?"]);
  assert.equal(result.stopReason, "USER_MESSAGE_COMPLETED");
  assert.deepEqual(contents(result), ["user: you?", "bob: bob"]);
  await ended;

  assert.deepEqual(fixture.said().slice(before), ["user: you?", "bob: bob", "bob: bob", "cyd: cyd", "ann: ann"]);
});

test("then pause: no one speaks after the reply, and the next run continues with the participant whose turn it was", async () => {
  const { team, said } = testTeam({ speakers: names("ann", "bob", "cyd"), termination: { maxMessages: 4 } });

  await team.sendUserMessage("cyd", ["you?"], afterReply("pause"));
  assert.deepEqual(said(), ["user: you?", "cyd: cyd"]);
  await team.run();

  assert.deepEqual(said().slice(2), ["ann: ann", "bob: bob"]);
});

test("a running team is interrupted first: both calls resolve, and the interrupted speaker continues after the reply", async () => {
  const ann = new ScriptedModel([...say("I was "), { type: "wait", until: new Promise(() => {}) }], say("saying"));
  const { team, next, said } = testTeam({ speakers: { ann, bob: () => "here" }, termination: { maxMessages: 5 } });
  const streaming = next("message/chunk");
  const run = team.run("t");
  await streaming;
  const ended = next("run/ended", 2);

  const answer = await team.sendUserMessage("bob", ["you there?"]);
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(contents(answer), ["user: you there?", "bob: here"]);
  await ended;

  assert.deepEqual(said(), ["user: t", "ann: I was …", "user: you there?", "bob: here", "ann: saying"]);
});

test("several messages in one call stay in order, and are answered once", async () => {
  const { team } = testTeam({ speakers: names("ann") });

  const result = await team.sendUserMessage("ann", ["1", "2", "3"], { ...afterReply("pause"), by: "eve" });

  assert.deepEqual(contents(result), ["eve: 1", "eve: 2", "eve: 3", "ann: ann"]);
});

test("two messages at the same time: both are delivered once, one after the other", async () => {
  const { team, said } = testTeam({ speakers: names("ann", "bob") });

  await Promise.all([
    team.sendUserMessage("ann", ["first"], afterReply("pause")),
    team.sendUserMessage("bob", ["second"], afterReply("pause")),
  ]);

  assert.deepEqual(
    said().filter((line) => line.startsWith("user")),
    ["user: first", "user: second"],
  );
  assert.equal(said().at(-1), "bob: bob");
});

test("a message that fires a termination condition ends the run with its stop reason; the target does not answer", async () => {
  const ann = new ScriptedModel();
  const { team, said } = testTeam({ speakers: { ann }, termination: { textMention: { text: "STOP" } } });

  const result = await team.sendUserMessage("ann", ["STOP now"]);

  assert.equal(result.stopReason, "Text 'STOP' mentioned");
  assert.equal(ann.requests.length, 0);
  assert.deepEqual(said(), ["user: STOP now"]);
});

test("a reply completes the message, even if it fires a termination condition that ends the run", async () => {
  const { team } = testTeam({ speakers: { ann: () => "STOP" }, termination: { textMention: { text: "STOP" } } });

  const result = await team.sendUserMessage("ann", ["well?"]);

  assert.equal(result.stopReason, "USER_MESSAGE_COMPLETED");
  assert.deepEqual(contents(result), ["user: well?", "ann: STOP"]);
  assert.deepEqual([team.state.status, team.state.lastStop], ["idle", "Text 'STOP' mentioned"]);
});

test("USER_MESSAGE_TIMEOUT after the timeout: the target's request is closed, and its text kept as a partial", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const ann = new ScriptedModel([...say("I am "), { type: "wait", until: new Promise(() => {}) }], say("slow"));
  const { team, next, said } = testTeam({ speakers: { bob: () => "bob", ann }, maxTurns: 2 });
  const streaming = next("message/chunk");
  const sent = team.sendUserMessage("ann", ["well?"], { timeoutMs: 1000 });
  await streaming;

  t.mock.timers.tick(999);
  assert.equal(team.isRunning, true);
  t.mock.timers.tick(1);
  const result = await sent;

  assert.equal(result.stopReason, "USER_MESSAGE_TIMEOUT");
  assert.deepEqual(result.status, { code: "interrupted", reason: "timeout", message: "ann did not answer in time." });
  assert.deepEqual(said(), ["user: well?", "ann: I am …"]);
  assert.equal(team.isRunning, false);
});

test("the default timeout is 120 seconds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { team, next } = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = next("reasoning/start");
  const sent = team.sendUserMessage("ann", ["well?"]);
  await speaking;

  t.mock.timers.tick(119_999);
  assert.equal(team.isRunning, true);
  t.mock.timers.tick(1);

  assert.equal((await sent).stopReason, "USER_MESSAGE_TIMEOUT");
});

test("interrupted before the target is asked: the message is kept, no one is selected, and the next run continues in order", async () => {
  const ann = new ScriptedModel();
  const { team, said, types } = testTeam({ speakers: { ann, bob: () => "bob" }, maxTurns: 1 });
  const interrupting = interruptAt(team, "message/added");

  const result = await team.sendUserMessage("bob", ["you there?"]);

  assert.equal(result.stopReason, "USER_INTERRUPT");
  await interrupting;
  assert.deepEqual(said(), ["user: you there?"]);
  assert.equal(types().includes("speaker/selected"), false);
});

test("an interrupted answer is not skipped: a run without a task starts with it, then the order is as before", async () => {
  const bob = new ScriptedModel(
    [...say("I th", "ink"), { type: "wait", until: new Promise(() => {}) }],
    say("so."),
    say("on."),
  );
  const { team, said } = testTeam({ speakers: { ann: () => "ann", bob, cyd: () => "cyd" }, maxTurns: 3 });
  const interrupted = interruptAt(team, "message/chunk", 2);
  const sent = await team.sendUserMessage("bob", ["you there?"]);
  await interrupted;
  assert.equal(sent.stopReason, "USER_INTERRUPT");

  await team.run();

  assert.deepEqual(said(), ["user: you there?", "bob: I think…", "bob: so.", "ann: ann", "bob: on."]);
});
