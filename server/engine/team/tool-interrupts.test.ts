import assert from "node:assert/strict";
import { test } from "node:test";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { rejectionOf } from "../testing/rejection.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { type TestTool, testTool } from "../testing/test-tool.ts";
import { ToolInterrupt } from "../tool.ts";

const shown = (model: ScriptedModel): unknown[] =>
  model.lastItems.flatMap((item) => (item.role === "tool" ? [[item.ref, item.output, item.isError]] : []));

const approved = (name = "pay"): TestTool => testTool(name, () => `${name}ed`, { approval: "ask" });

/** A team whose first answer makes these calls, after a run that waits for the user. */
async function waiting(tools: readonly TestTool[], ...calls: readonly ReturnType<typeof call>[]) {
  const ann = new ScriptedModel(ask(...calls), say("thanks"));
  const fixture = testTeam({ speakers: { ann, bob: () => "bob" }, tools, maxTurns: 1 });
  const result = await fixture.team.run("t");
  return { ...fixture, ann, result };
}

test("a tool that needs approval stops the turn: TOOL_INTERRUPT, the call is pending, the tool is not run", async () => {
  const pay = approved();
  const { team, result, ann, withIds } = await waiting([pay], call("c1", "pay", { sum: 5 }));

  assert.equal(result.stopReason, "TOOL_INTERRUPT");
  assert.deepEqual(result.status, { code: "interrupted", reason: "tool_interrupt" });
  assert.equal(team.state.status, "awaitingTools");
  assert.deepEqual(withIds(team.state.pendingTools), [
    { ref: "c1", name: "pay", participant: "ann", input: { sum: 5 }, approval: true },
  ]);
  assert.equal(team.state.participants[0]?.activity, "awaitingTools");
  assert.deepEqual([pay.runs.length, ann.requests.length], [0, 1]);
});

test("a tool interrupts with data, which the pending call carries; without data it is true", async () => {
  const quiz = testTool("quiz", () => {
    throw new ToolInterrupt({ question: "why?" });
  });
  const bare = testTool("bare", () => {
    throw new ToolInterrupt();
  });
  const declared = testTool("declared", () => "never", { interrupt: true });
  const { team, withIds } = await waiting(
    [quiz, bare, declared],
    call("c1", "quiz"),
    call("c2", "bare"),
    call("c3", "declared"),
  );

  assert.deepEqual(withIds(team.state.pendingTools.map(({ ref, interrupt }) => [ref, interrupt]).sort()), [
    ["c1", { question: "why?" }],
    ["c2", true],
    ["c3", true],
  ]);
  assert.equal(declared.runs.length, 0);
});

test("calls of the batch that finished keep their output, also false, 0, empty text and null, and do not run again", async () => {
  const outputs = [false, 0, "", null];
  const tools = outputs.map((output, at) => testTool(`give${at}`, () => output));
  const pay = approved();
  const calls = outputs.map((_, at) => call(`c${at}`, `give${at}`));
  const { team, ann, ref, withIds } = await waiting([...tools, pay], call("p1", "pay"), ...calls);

  await team.resolveTools({ respond: [{ ref: ref("p1"), output: false }] });

  assert.deepEqual(withIds(shown(ann)), [
    ["p1", false, false],
    ...outputs.map((output, at) => [`c${at}`, output, false]),
  ]);
  assert.deepEqual(
    tools.map(({ runs }) => runs.length),
    [1, 1, 1, 1],
  );
  assert.equal(conversationProblem(ann.lastItems), undefined);
});

test("respond gives the output in place of the tool, and the turn continues", async () => {
  const pay = approved();
  const { team, said, ann, types, ref, withIds } = await waiting([pay], call("c1", "pay"));

  const { remaining, result } = await team.resolveTools({ respond: [{ ref: ref("c1"), output: { paid: true } }] });

  assert.deepEqual(remaining, []);
  assert.equal(result?.stopReason, "Maximum number of turns 1 reached.");
  assert.deepEqual(withIds(shown(ann)), [["c1", { paid: true }, false]]);
  assert.deepEqual(said(), ["user: t", "ann: thanks"]);
  assert.equal(pay.runs.length, 0);
  assert.equal(types().filter((type) => type === "reasoning/start").length, 1, "it is the same turn");
});

test("restart runs the tool with the edited input and resumed metadata, and the event says who edited what", async () => {
  const pay = approved();
  const { team, ann, events, ref, withIds } = await waiting([pay], call("c1", "pay", { sum: 5 }));

  await team.resolveTools({ restart: [{ ref: ref("c1"), input: { sum: 4 }, metadata: { why: "less" } }] });

  assert.deepEqual(
    pay.runs.map(({ input, context }) => [input, context.metadata]),
    [[{ sum: 4 }, { why: "less", resumed: true }]],
  );
  assert.deepEqual(withIds(shown(ann)), [["c1", "payed", false]]);
  const resolved = events.find((event) => event.type === "tool/resolved");
  assert.deepEqual(resolved?.type === "tool/resolved" && [resolved.how, resolved.by, resolved.input], [
    "restart",
    "user",
    { sum: 4 },
  ]);
});

test("an edited input is validated: an invalid one is rejected, the call stays pending, and the tool does not run", async () => {
  const pay = testTool("pay", () => "paid", {
    approval: "ask",
    prepare: (input) => {
      if (typeof input !== "number") throw new Error("give a number");
      return input;
    },
  });
  const { team, ann, ref, withIds } = await waiting([pay], call("c1", "pay", 5));
  const before = team.state;

  const fault = await rejectionOf(() => team.resolveTools({ restart: [{ ref: ref("c1"), input: "much" }] }));

  assert.deepEqual(
    [fault.data.code, fault.data["problems"]],
    ["InvalidParams", [{ path: "restart[0].input", message: "give a number" }]],
  );
  assert.equal(team.state, before);
  assert.equal(pay.runs.length, 0);
  await team.resolveTools({ restart: [{ ref: ref("c1"), input: 4 }] });
  assert.deepEqual(withIds(shown(ann)), [["c1", "paid", false]]);
});

test("a restarted tool may interrupt again, under the same ref, and is answered again", async () => {
  const quiz = testTool("quiz", (_, { metadata }) => {
    throw new ToolInterrupt(metadata["resumed"] ? "again" : "first");
  });
  const { team, ann, ref, withIds } = await waiting([quiz], call("c1", "quiz"));

  const again = await team.resolveTools({ restart: [{ ref: ref("c1") }] });
  assert.deepEqual(withIds(again), { remaining: ["c1"] });
  assert.deepEqual(
    team.state.pendingTools.map(({ interrupt }) => interrupt),
    ["again"],
  );

  await team.resolveTools({ respond: [{ ref: ref("c1"), output: "x" }] });
  assert.deepEqual(withIds(shown(ann)), [["c1", "x", false]]);
});

test("deny gives the model an error that says so, with the reason", async () => {
  const pay = approved();
  const { team, ann, ref, withIds } = await waiting([pay], call("c1", "pay"), call("c2", "pay"));

  await team.resolveTools({ deny: [{ ref: ref("c1") }, { ref: ref("c2"), reason: "too dear" }] });

  assert.deepEqual(withIds(shown(ann)), [
    ["c1", "The user denied this call.", true],
    ["c2", "The user denied this call: too dear", true],
  ]);
  assert.equal(pay.runs.length, 0);
});

test("while calls are pending, run and sendUserMessage are InvalidResume, and nothing changes", async () => {
  const { team, events, ref } = await waiting([approved()], call("c1", "pay"));
  const before = events.length;

  const invalid = { data: { code: "InvalidResume", pending: [ref("c1")] } };
  await assert.rejects(team.run("yes"), invalid);
  await assert.rejects(team.run(), invalid);
  await assert.rejects(team.sendUserMessage("ann", ["yes, do it"]), invalid);
  assert.equal(events.length, before);
});

test("severity stop drops pending calls: each has a result that says so, and the team can run again", async () => {
  const { team, ann, withIds } = await waiting([approved()], call("c1", "pay"));

  const receipt = await team.interrupt({ severity: "stop" });
  assert.deepEqual([receipt.wasRunning, receipt.status, team.state.pendingTools], [false, "idle", []]);

  await team.run("continue");
  assert.equal(conversationProblem(ann.lastItems), undefined);
  assert.deepEqual(withIds(shown(ann)), [["c1", "The user interrupted this call before it ended.", true]]);
});
