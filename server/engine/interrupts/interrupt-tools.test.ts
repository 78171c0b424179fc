import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { microtasks } from "../testing/microtasks.ts";
import { aborted, ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const results = (events: readonly TeamEvent[]): unknown[][] =>
  events.flatMap((event) => (event.type === "tool/executed" ? [[event.ref, event.output, event.isError]] : []));
const shown = (model: ScriptedModel): unknown[] =>
  model.lastItems.flatMap((item) => (item.role === "tool" ? [[item.ref, item.output]] : []));
const CUT = "The user interrupted this call before it ended.";

test("interrupted during a tool: its signal fires, the call has one result that says so, and no further model step starts", async () => {
  const look = testTool("look", async (_, { signal }) => {
    await aborted(signal);
    signal.throwIfAborted();
  });
  const ann = new ScriptedModel(ask(call("c1", "look")), say("well"));
  const { team, next, events, said } = testTeam({ speakers: { ann }, tools: [look], maxTurns: 1 });
  const started = next("tool/started");
  const run = team.run("t");
  await started;

  const receipt = await team.interrupt();
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(receipt.abandonedTools, []);
  assert.equal(results(events).length, 1);
  assert.match(String(results(events)[0]?.[1]), /^The user interrupted this call before it ended\./);
  assert.equal(ann.requests.length, 1);

  await team.run();
  assert.equal(conversationProblem(ann.lastItems), undefined);
  assert.equal(shown(ann).length, 1);
  assert.deepEqual(said(), ["user: t", "ann: well"]);
});

test("a tool that returns an output when its signal is aborted keeps it as its result", async () => {
  const look = testTool("look", (_, { signal }) => aborted(signal).then(() => "half a look"));
  const ann = new ScriptedModel(ask(call("c1", "look")));
  const { team, next, withIds } = testTeam({ speakers: { ann }, tools: [look], maxTurns: 1 });
  const started = next("tool/started");
  const run = team.run("t");
  await started;
  await team.interrupt();
  await run;

  await team.run();

  assert.deepEqual(withIds(shown(ann)), [["c1", "half a look"]]);
  assert.equal(look.runs.length, 1);
});

test("each call of a batch ends with exactly one result: its own, or one that says it was interrupted", async () => {
  const fast = testTool("fast", () => 0);
  const slow = testTool("slow", (_, { signal }) => aborted(signal).then(() => Promise.reject(signal.reason)));
  const ann = new ScriptedModel(ask(call("c1", "slow"), call("c2", "fast"), call("c3", "slow")));
  const { team, next, events, withIds } = testTeam({ speakers: { ann }, tools: [fast, slow], maxTurns: 1 });
  const done = next("tool/executed");
  const run = team.run("t");
  await done;
  await team.interrupt();
  await run;

  await team.run();

  assert.equal(conversationProblem(ann.lastItems), undefined);
  assert.deepEqual(withIds(shown(ann)), [
    ["c1", CUT],
    ["c2", 0],
    ["c3", CUT],
  ]);
  assert.equal(results(events).length, 3);
  assert.equal(fast.runs.length, 1);
});

test("a tool that ignores the signal is abandoned and listed; its late result is used when the run continues", async () => {
  const hold = Promise.withResolvers<string>();
  const deaf = testTool("deaf", () => hold.promise);
  const ann = new ScriptedModel(ask(call("c1", "deaf")));
  const { team, next, events, folded, withIds } = testTeam({
    speakers: { ann },
    tools: [deaf],
    maxTurns: 1,
    graceMs: 1,
  });
  const started = next("tool/started");
  const run = team.run("t");
  await started;

  const receipt = await team.interrupt();
  assert.deepEqual(withIds(receipt.abandonedTools), [
    { ref: "c1", name: "deaf", participant: "ann", mayHaveHadEffects: true },
  ]);
  assert.deepEqual(results(events), []);
  await run;
  const late = next("tool/executed");
  hold.resolve("worth the wait");
  await late;

  await team.run();
  assert.deepEqual(withIds(shown(ann)), [["c1", "worth the wait"]]);
  assert.equal(deaf.runs.length, 1);
  assert.deepEqual(team.state, folded());
});

test("after a reset an endpoint may reuse a call id: the late result of the old call is not taken for the new one", async () => {
  const old = Promise.withResolvers<string>();
  const fresh = Promise.withResolvers<string>();
  const results = [old.promise, fresh.promise];
  const deaf = testTool("deaf", () => results.shift());
  const ann = new ScriptedModel(ask(call("c1", "deaf")), ask(call("c1", "deaf")));
  const { team, next, events } = testTeam({ speakers: { ann }, tools: [deaf], maxTurns: 1, graceMs: 1 });
  const started = next("tool/started");
  const run = team.run("t");
  await started;
  await team.interrupt({ severity: "reset" });
  await run;
  const again = next("tool/started");
  const nextRun = team.run("t");
  await again;

  old.resolve("old");
  await microtasks(20);
  fresh.resolve("new");
  await nextRun;

  const outputs = events.flatMap((event) => (event.type === "tool/executed" ? [event.output] : []));
  assert.deepEqual(outputs, ["new"]);
});

test("if the run continues before an abandoned tool has ended, the call gets a result that says so, and the late one is ignored", async () => {
  const hold = Promise.withResolvers<string>();
  const ann = new ScriptedModel(ask(call("c1", "deaf")));
  const { team, next, events } = testTeam({
    speakers: { ann },
    tools: [testTool("deaf", () => hold.promise)],
    maxTurns: 1,
    graceMs: 1,
  });
  const started = next("tool/started");
  const run = team.run("t");
  await started;
  await team.interrupt();
  await run;

  await team.run();
  hold.resolve("too late");
  await team.interrupt();

  assert.equal(conversationProblem(ann.lastItems), undefined);
  assert.match(String(shown(ann)), /had not ended when the conversation continued/);
  assert.equal(results(events).length, 1);
});

test("no tool starts after the acknowledgement, even if the interrupt comes between the calls of a batch", async () => {
  const look = testTool("look", (_, { signal }) => aborted(signal));
  const ann = new ScriptedModel(ask(call("c1", "look"), call("c2", "look"), call("c3", "look")));
  const { team, events, withIds } = testTeam({ speakers: { ann }, tools: [look], maxTurns: 1 });
  const interrupting = interruptAt(team, "tool/started", 2);
  await team.run("t");
  await interrupting;

  assert.deepEqual(withIds(look.runs.map(({ context }) => context.ref)), ["c1"]);
  assert.deepEqual(
    withIds(
      results(events)
        .map(([ref]) => ref)
        .sort(),
    ),
    ["c1", "c2", "c3"],
  );
});

test("interrupted while a call of the batch is pending: it stays pending, and the other has its result", async () => {
  const slow = testTool("slow", (_, { signal }) => aborted(signal).then(() => Promise.reject(signal.reason)));
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const ann = new ScriptedModel(ask(call("c1", "pay"), call("c2", "slow")));
  const { team, next, ref, withIds } = testTeam({ speakers: { ann }, tools: [pay, slow], maxTurns: 1 });
  const started = next("tool/started");
  const run = team.run("t");
  await started;
  const receipt = await team.interrupt();

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.equal(receipt.status, "awaitingTools");
  assert.deepEqual(withIds(team.state.pendingTools.map(({ ref }) => ref)), ["c1"]);

  const { result } = await team.resolveTools({ restart: [{ ref: ref("c1") }] });
  assert.equal(result?.status.code, "success");
  assert.deepEqual(withIds(shown(ann)), [
    ["c1", "paid"],
    ["c2", CUT],
  ]);
});

test("interrupted as the last tool of a turn ends: no summary is added after the acknowledgement, and the speaker continues", async () => {
  const ann = new ScriptedModel(ask(call("c1", "look")), say("seen"));
  const more = { ann: { maxToolIterations: 1 } };
  const { team, said } = testTeam({
    speakers: { ann, bob: () => "bob" },
    tools: [testTool("look")],
    more,
    maxTurns: 1,
  });
  const interrupting = interruptAt(team, "tool/executed");
  await team.run("t");
  await interrupting;
  assert.deepEqual(said(), ["user: t"]);

  await team.run();

  assert.deepEqual(said(), ["user: t", "ann: seen"]);
});

test("a tool that an interrupt leaves running does not start when the interrupt comes with its tool/started event", async () => {
  const slow = testTool("slow", () => "done", { onInterrupt: "wait" });
  const ann = new ScriptedModel(ask(call("c1", "slow")));
  const { team, withIds, events } = testTeam({ speakers: { ann }, tools: [slow], maxTurns: 1 });
  const interrupting = interruptAt(team, "tool/started");
  await team.run("t");
  await interrupting;

  assert.equal(slow.runs.length, 0);
  assert.deepEqual(withIds(results(events)), [["c1", CUT, true]]);
});
