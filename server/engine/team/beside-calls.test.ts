import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import { atRest } from "../testing/at-rest.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { aborted, ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const NOW = { delivery: "now" } as const;

const lab: ParticipantDefinition = {
  name: "lab",
  kind: "team",
  team: {
    name: "Lab",
    kind: "roundRobin",
    participants: [
      { name: "eve", model: "eve", tools: ["pay"] },
      { name: "dan", model: "dan" },
    ],
    maxTurns: 3,
  },
};

/** A nested team in which eve's call waits, beside ann. */
async function nested(options: Partial<TestTeamOptions> = {}): Promise<TestTeam & { readonly eve: ScriptedModel }> {
  const eve = new ScriptedModel(ask(call("c1", "pay")), say("eve done"));
  const dan = new ScriptedModel(say("dan 1"), say("dan 2"));
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const fixture = testTeam({
    speakers: { eve, dan, ann: () => "ann" },
    participants: [lab, { name: "ann" }],
    tools: [pay],
    maxTurns: 3,
    ...options,
  });
  assert.equal((await fixture.team.run("t")).stopReason, "TOOL_INTERRUPT");
  return { ...fixture, eve };
}

const within = ({ team: { state } }: TestTeam): string[] =>
  (state.inner?.["lab"]?.thread ?? []).map(({ source, content }) => `${source}: ${content}`);

test("someone within a nested team answers beside a call that waits there; decided, the nested team goes on", async () => {
  const run = await nested();
  const answer = await run.team.sendUserMessage("lab/dan", ["Why?"], NOW);
  await atRest(run.team);
  assert.equal(answer.stopReason, "USER_MESSAGE_COMPLETED");
  assert.deepEqual(within(run), ["user: t", "user: Why?", "dan: dan 1"]);
  assert.deepEqual([run.team.state.status, run.team.state.pendingTools.length], ["awaitingTools", 1]);

  const { result } = await run.team.resolveTools({ restart: [{ ref: run.ref("c1") }] });
  assert.equal(result?.stopReason, "Maximum number of turns 3 reached.");
  assert.deepEqual(run.said(), ["user: t", "lab: dan 2", "ann: ann"]);
  assert.equal(conversationProblem(run.eve.lastItems), undefined);
});

test("the call of the one that answers waits too; decided together, both turns end, and the team goes on", async () => {
  const dan = new ScriptedModel(ask(call("c2", "pay")), say("dan paid"), say("dan 2"));
  const eve = new ScriptedModel(ask(call("c1", "pay")), say("eve done"));
  const run = await nested({ speakers: { eve, dan, ann: () => "ann" } });
  await run.team.sendUserMessage("lab/dan", ["Why?"], NOW);
  await atRest(run.team);
  assert.equal(run.team.state.status, "awaitingTools");
  const restart = run.team.state.pendingTools.map(({ ref }) => ({ ref }));
  await run.team.resolveTools({ restart });
  assert.deepEqual(run.team.state.pendingTools, []);
  assert.deepEqual(run.team.state.openTurns, []);
  assert.equal(conversationProblem(eve.lastItems), undefined);
});

test("an interrupt while someone answers beside a waiting call keeps the answer's partial, and the call if it is not taken", async () => {
  for (const waitingCalls of [undefined, "cancel"] as const) {
    const run = await nested();
    const receipt = interruptAt(run.team, "reasoning/start", 1, { waitingCalls });
    await run.team.sendUserMessage("ann", ["Why?"], NOW);
    const { cancelledTools = [] } = await receipt;
    assert.equal(cancelledTools.length, waitingCalls === undefined ? 0 : 1);
    assert.equal(run.team.state.status, waitingCalls === undefined ? "awaitingTools" : "paused");
    assert.equal(run.team.state.openTurns.length, waitingCalls === undefined ? 1 : 0);
  }
});

test("an interrupt takes a nested call along; the team continues with its participant, whose model is told", async () => {
  const run = await nested();
  const receipt = await run.team.interrupt({ waitingCalls: "cancel" });
  assert.deepEqual(run.withIds(receipt.cancelledTools), [
    { ref: "c1", name: "pay", participant: "eve", path: ["lab"] },
  ]);
  await run.team.run();
  assert.deepEqual(run.said().slice(0, 3), ["user: t", "lab: done", "ann: ann"]);
  assert.equal(conversationProblem(run.eve.lastItems), undefined);
  const results = run.eve.lastItems.flatMap((item) => (item.role === "tool" ? [item.output] : []));
  assert.deepEqual(results, ["The user interrupted the team: this call was cancelled before it ran."]);
});

test("a decision that comes while someone else answers is carried out at once, and the run goes on with it", async () => {
  const answering = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const run = await nested({
    speakers: {
      eve: new ScriptedModel(ask(call("c1", "pay")), say("eve done")),
      dan: () => "dan",
      ann: async () => {
        asked.resolve();
        await answering.promise;
        return "ann";
      },
    },
  });
  const answer = run.team.sendUserMessage("ann", ["Why?"], NOW);
  await asked.promise;
  const executed = run.next("tool/executed");
  const decided = run.team.resolveTools({ restart: [{ ref: run.ref("c1") }] });
  await executed;
  answering.resolve();
  assert.equal((await answer).stopReason, "USER_MESSAGE_COMPLETED");
  const { result } = await decided;
  assert.equal(result?.status.code, "success");
  assert.ok(run.said().some((line) => line.startsWith("lab: ")));
});

test("a host that ends while someone answers beside a waiting call: the call still waits, the answer is taken up", async () => {
  const run = await nested();
  const asked = Promise.withResolvers<void>();
  run.team.onEvent(({ type }) => {
    if (type === "reasoning/start") asked.resolve();
  });
  void run.team.sendUserMessage("ann", ["Why?"], NOW);
  await asked.promise;
  const again = run.reopened();
  again.team.recover();
  assert.deepEqual([again.team.state.status, again.team.state.pendingTools.length], ["awaitingTools", 1]);
  assert.equal(again.team.state.openTurns.length, 1);
  await again.team.resolveTools({ deny: [{ ref: run.ref("c1") }] });
  assert.equal(again.team.state.pendingTools.length, 0);
});

test("parallel branches: a waiting call, and others that were cut short for a message, speak again after the answer", async () => {
  const speaking = Promise.withResolvers<void>();
  let turns = 0;
  const run = testTeam({
    kind: "graph",
    speakers: {
      plan: () => "plan",
      left: new ScriptedModel(ask(call("c1", "pay")), say("left")),
      right: async (_, signal) => {
        turns++;
        speaking.resolve();
        if (turns === 1) await aborted(signal);
        return "right";
      },
    },
    tools: [testTool("pay", () => "paid", { approval: "ask" })],
    graph: {
      edges: [
        { from: "plan", to: "left" },
        { from: "plan", to: "right" },
      ],
    },
  });
  const started = run.team.run("t");
  await run.next("tool/interrupted");
  await speaking.promise;
  const answer = await run.team.sendUserMessage("plan", ["Why?"], NOW);
  assert.equal((await started).stopReason, "USER_INTERRUPT");
  assert.equal(answer.stopReason, "USER_MESSAGE_COMPLETED");
  await atRest(run.team);
  assert.deepEqual(run.said(), ["user: t", "plan: plan", "user: Why?", "plan: plan", "right: right"]);
  assert.equal(run.team.state.status, "awaitingTools");
  await run.team.resolveTools({ restart: [{ ref: run.ref("c1") }] });
  assert.equal(run.said().at(-1), "left: left");
});
