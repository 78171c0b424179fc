import assert from "node:assert/strict";
import { test } from "node:test";
import { interruptAt } from "../testing/interrupt-at.ts";
import { aborted, ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

test("grace `turn`: the speaker ends its turn, no one speaks after, and the acknowledgement comes with the end", async () => {
  const ann = new ScriptedModel(ask(call("c1", "look")), say("I have ", "looked."));
  const look = testTool("look");
  const { team, said, types } = testTeam({
    speakers: { ann, bob: () => "bob" },
    tools: [look],
    termination: { maxMessages: 9 },
  });
  const interrupting = interruptAt(team, "tool/requested", 1, { grace: "turn" });

  const result = await team.run("t");
  const receipt = await interrupting;

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(said(), ["user: t", "ann: I have looked."]);
  assert.deepEqual([receipt.wasRunning, receipt.partials, receipt.stopReason], [true, [], "USER_INTERRUPT"]);
  const eventTypes = types();
  assert.ok(eventTypes.indexOf("interrupt/acknowledged") > eventTypes.lastIndexOf("reasoning/conclusion"));
  assert.ok(eventTypes.indexOf("interrupt/acknowledged") < eventTypes.indexOf("run/ended"));
});

test("grace `thought`: the model step ends, and no tool that it requests runs", async () => {
  const look = testTool("look");
  const ann = new ScriptedModel([...say("Let me ", "see"), ...ask(call("c1", "look"))], say("Seen."));
  const { team, events, said } = testTeam({ speakers: { ann }, tools: [look], maxTurns: 1 });
  const interrupting = interruptAt(team, "message/chunk", 1, { grace: "thought" });

  const result = await team.run("t");
  await interrupting;

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.equal(look.runs.length, 0);
  assert.equal(ann.requests.length, 1);
  const requested = events.find((event) => event.type === "tool/requested");
  assert.equal(requested?.type === "tool/requested" && requested.content, "Let me see");
  const after = await team.run();
  assert.equal(after.status.code, "success");
  assert.deepEqual(said().at(-1), "ann: Seen.");
});

test("an interrupt with an earlier moment overtakes a graceful one, and both share one receipt", async () => {
  const { team, next, types } = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = next("reasoning/start");
  const run = team.run("t");
  await speaking;

  const patient = team.interrupt({ grace: "turn" });
  const impatient = team.interrupt({ grace: "now", severity: "stop" });
  const receipts = await Promise.all([patient, impatient]);

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.equal(receipts[0], receipts[1]);
  assert.equal(receipts[0]?.severity, "stop");
  assert.equal(types().filter((type) => type === "interrupt/acknowledged").length, 1);
});

test("the scope of one participant stops the run while that participant speaks, and otherwise nothing", async () => {
  const { team, next } = testTeam({
    speakers: { ann: (_, signal) => aborted(signal).then(() => ""), bob: () => "bob" },
  });
  const speaking = next("reasoning/start");
  const run = team.run("t");
  await speaking;

  const missed = await team.interrupt({ scope: { participant: "bob" } });
  assert.deepEqual([missed.wasRunning, missed.status], [false, "running"]);
  const receipt = await team.interrupt({ scope: { participant: "ann" } });

  assert.deepEqual([receipt.wasRunning, receipt.stopReason, receipt.status], [true, "USER_INTERRUPT", "paused"]);
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  await assert.rejects(team.interrupt({ scope: { participant: "zoe" } }), /no participant "zoe"/);
});

test("the scope of one of several concurrent speakers: the others end their turns, then the run stops", async () => {
  const bob = Promise.withResolvers<string>();
  const { team, next, said } = testTeam({
    kind: "graph",
    graph: { edges: [] },
    speakers: { ann: (_, signal) => aborted(signal).then(() => ""), bob: () => bob.promise },
  });
  const speaking = next("reasoning/start", 2);
  const run = team.run("t");
  await speaking;

  const receipt = await team.interrupt({ scope: { participant: "ann" } });
  assert.deepEqual([receipt.wasRunning, receipt.stopReason], [true, null]);
  assert.equal(team.isRunning, true);
  bob.resolve("bob");

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(said(), ["user: t", "bob: bob"]);
});

test("the scope of one call: the call has a result that says so, and its turn continues", async () => {
  const slow = testTool("slow", (_, { signal }) => aborted(signal).then(() => assert.fail("stopped")));
  const quick = testTool("quick");
  const ann = new ScriptedModel(ask(call("c1", "slow"), call("c2", "quick")), say("On I go."));
  const { team, next, said, ref } = testTeam({ speakers: { ann }, tools: [slow, quick], maxTurns: 1 });
  const started = next("tool/executed");
  const run = team.run("t");
  await started;

  const receipt = await team.interrupt({ scope: { ref: ref("c1") } });
  const result = await run;

  assert.deepEqual([receipt.wasRunning, receipt.stopReason], [true, null]);
  assert.equal(result.status.code, "success");
  assert.deepEqual(said(), ["user: t", "ann: On I go."]);
  const [first, second] = ann.lastItems.filter((item) => item.role === "tool");
  assert.match(String(first?.output), /interrupted this call/);
  assert.equal(second?.output, "quick");
});

test("a cancelled call whose tool does not stop: the turn continues without it, and a late result is ignored", async () => {
  const late = Promise.withResolvers<string>();
  const deaf = testTool("deaf", () => late.promise);
  const ann = new ScriptedModel(ask(call("c1", "deaf")), say("On I go."));
  const { team, next, events, said, ref } = testTeam({ speakers: { ann }, tools: [deaf], maxTurns: 1, graceMs: 1 });
  const started = next("tool/started");
  const run = team.run("t");
  await started;

  await team.interrupt({ scope: { ref: ref("c1") } });
  await run;
  late.resolve("late");
  await late.promise;

  const results = events.filter((event) => event.type === "tool/executed");
  assert.equal(results.length, 1);
  assert.match(String(ann.lastItems.at(-1)?.role === "tool" && ann.lastItems.at(-1)), /object/);
  assert.deepEqual(said(), ["user: t", "ann: On I go."]);
});

test("the scope of a call that has ended: nothing is stopped", async () => {
  const { team, ref } = testTeam({ speakers: names("ann"), maxTurns: 1 });
  await team.run("t");

  const receipt = await team.interrupt({ scope: { ref: ref("c1") } });

  assert.equal(receipt.wasRunning, false);
});

for (const [behavior, results] of [
  ["wait", ["done"]],
  ["background", ["done"]],
] as const) {
  test(`a tool with onInterrupt ${behavior} is not aborted, and its result is kept`, async () => {
    const work = Promise.withResolvers<string>();
    const tool = testTool("work", () => work.promise, { onInterrupt: behavior });
    const ann = new ScriptedModel(ask(call("c1", "work")), say("Thanks."));
    const { team, next } = testTeam({ speakers: { ann }, tools: [tool], maxTurns: 1 });
    const started = next("tool/started");
    const run = team.run("t");
    await started;

    const interrupting = team.interrupt();
    if (behavior === "wait") work.resolve("done");
    const receipt = await interrupting;
    await run;
    assert.equal(tool.runs[0]?.context.signal.aborted, false);
    assert.equal(receipt.abandonedTools.length, behavior === "background" ? 1 : 0);
    const executed = next("tool/executed");
    work.resolve("done");
    if (behavior === "background") await executed;

    await team.run();

    assert.deepEqual(
      ann.lastItems.flatMap((item) => (item.role === "tool" ? [item.output] : [])),
      results,
    );
  });
}

test("the scope of a participant whose restarted tool is running: the tool stops", async () => {
  const tool = testTool("deploy", (_, { signal }) => aborted(signal).then(() => assert.fail("stopped")), {
    approval: "ask",
  });
  const ann = new ScriptedModel(ask(call("c1", "deploy")), say("I see."));
  const { team, next, ref } = testTeam({ speakers: { ann }, tools: [tool], maxTurns: 1 });
  await team.run("t");
  const started = next("tool/started");
  const answering = team.resolveTools({ restart: [{ ref: ref("c1") }] });
  await started;

  const receipt = await team.interrupt({ scope: { participant: "ann" } });
  await answering;

  assert.deepEqual([receipt.wasRunning, receipt.stopReason], [true, "USER_INTERRUPT"]);
  assert.equal(team.isRunning, false);
});
