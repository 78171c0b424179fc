import assert from "node:assert/strict";
import { test } from "node:test";
import { aborted, ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const never = new Promise<never>(() => {});

test("a receipt says what was requested, who was stopped, and what is kept", async () => {
  const ann = new ScriptedModel([...say("one two ", "three"), { type: "wait", until: never }]);
  const { team, next } = testTeam({ speakers: { ann } });
  const spoken = next("message/chunk", 2);
  const run = team.run("t");
  await spoken;

  const receipt = await team.interrupt({ scope: { participant: "ann" }, grace: "now" });
  await run;

  assert.deepEqual([receipt.scope, receipt.grace], [{ participant: "ann" }, "now"]);
  assert.deepEqual(receipt.stopped, { participants: [{ participant: "ann" }], tools: [] });
  assert.deepEqual(receipt.kept, { messages: 2, words: 3, queued: 0, pendingTools: 0 });
});

test("a tool that was stopped may have had effects, unless it only reads", async () => {
  const untilAborted = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
    aborted(signal).then(() => signal.throwIfAborted());
  const tools = [testTool("pay", untilAborted), testTool("look", untilAborted, { readOnly: true })];
  const ann = new ScriptedModel(ask(call("c1", "pay"), call("c2", "look")));
  const { team, next, withIds } = testTeam({ speakers: { ann }, tools });
  const started = next("tool/started", 2);
  const run = team.run("t");
  await started;

  const receipt = await team.interrupt();
  await run;

  assert.deepEqual(withIds(receipt.stopped?.tools), [
    { ref: "c1", name: "pay", participant: "ann", mayHaveHadEffects: true },
    { ref: "c2", name: "look", participant: "ann", mayHaveHadEffects: false },
  ]);
  assert.deepEqual(receipt.abandonedTools, []);
});

test("a tool that never started cannot have had effects", async () => {
  const pay = testTool("pay");
  const ann = new ScriptedModel(ask(call("c1", "pay")));
  const fixture = testTeam({ speakers: { ann }, tools: [pay] });
  const receipt = Promise.withResolvers<Awaited<ReturnType<typeof fixture.team.interrupt>>>();
  fixture.team.onEvent((event) => {
    if (event.type === "tool/requested") fixture.team.interrupt().then(receipt.resolve, receipt.reject);
  });

  await fixture.team.run("t");

  assert.deepEqual(fixture.withIds((await receipt.promise).stopped?.tools), [
    { ref: "c1", name: "pay", participant: "ann", mayHaveHadEffects: false },
  ]);
  assert.equal(pay.runs.length, 0);
});

test("stopped and abandoned calls of a nested team have the path to it", async () => {
  const late = Promise.withResolvers<string>();
  const tools = [testTool("deaf", () => late.promise)];
  const ann = new ScriptedModel(ask(call("c1", "deaf")));
  const { team, next, withIds } = testTeam({
    speakers: { ann },
    tools,
    graceMs: 1,
    participants: [
      {
        name: "research",
        kind: "team",
        team: { name: "R", kind: "roundRobin", participants: [{ name: "ann", model: "ann", tools: ["deaf"] }] },
      },
    ],
  });
  const started = next("tool/started");
  const run = team.run("t");
  await started;

  const receipt = await team.interrupt();
  await run;
  late.resolve("late");

  assert.deepEqual(receipt.stopped?.participants, [
    { participant: "ann", path: ["research"] },
    { participant: "research" },
  ]);
  assert.deepEqual(withIds(receipt.abandonedTools), [
    { ref: "c1", name: "deaf", participant: "ann", path: ["research"], mayHaveHadEffects: true },
  ]);
});

test("an interrupt of a team at rest has stopped nothing", async () => {
  const { team } = testTeam({ speakers: { ann: () => "ann" }, maxTurns: 1 });
  await team.run("t");

  const { stopped, kept } = await team.interrupt();

  assert.deepEqual(stopped, { participants: [], tools: [] });
  assert.deepEqual(kept, { messages: 2, words: 0, queued: 0, pendingTools: 0 });
});

test("a state saved while a tool is abandoned has a result for its call, in place of the late one", async () => {
  const late = Promise.withResolvers<string>();
  const ann = new ScriptedModel(ask(call("c1", "deaf")));
  const tools = [testTool("deaf", () => late.promise)];
  const { team, next } = testTeam({ speakers: { ann }, tools, graceMs: 1 });
  const started = next("tool/started");
  const run = team.run("t");
  await started;
  await team.interrupt();
  await run;
  const second = new ScriptedModel(say("On I go."));
  const other = testTeam({ speakers: { ann: second }, tools, maxTurns: 1 });

  other.team.load(team.save());
  assert.deepEqual(other.team.save(), team.save());
  await other.team.run();
  late.resolve("late");

  const results = second.lastItems.flatMap((item) => (item.role === "tool" ? [String(item.output)] : []));
  assert.equal(results.length, 1);
  assert.match(results[0] ?? "", /had not ended when the conversation continued/);
});
