import assert from "node:assert/strict";
import { test } from "node:test";
import { UNREVIEWED_RESULT } from "../calls/tool-executor.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { rejectionOf } from "../testing/rejection.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { type TestTool, testTool } from "../testing/test-tool.ts";

const shown = (model: ScriptedModel): unknown[] =>
  model.lastItems.flatMap((item) => (item.role === "tool" ? [[item.output, item.isError]] : []));

/** A team whose user reviews what its tools give, after a run in which ann has called them. */
async function waiting(tools: readonly TestTool[], ...names: readonly string[]) {
  const ann = new ScriptedModel(ask(...names.map((name, at) => call(`c${at + 1}`, name))), say("thanks"));
  const review = ["look", "pay", "slow"];
  const fixture = testTeam({ speakers: { ann }, tools, maxTurns: 1, more: { ann: { review } } });
  const result = await fixture.team.run("t");
  return { ...fixture, ann, result };
}

test("a reviewed result waits, with the reason, and the model is not asked; what needs no review is kept", async () => {
  const look = testTool("look", () => ({ rows: [1, 2] }));
  const free = testTool("freeLook", () => "free");
  const { team, ann, result, withIds } = await waiting([look, free], "look", "freeLook");
  assert.equal(result.stopReason, "TOOL_INTERRUPT");
  assert.equal(team.state.status, "awaitingTools");
  assert.partialDeepStrictEqual(withIds(team.state.pendingTools), [
    {
      ref: "c1",
      name: "look",
      review: true,
      reason: "The team has you review what look gives ann.",
      interrupt: { kind: "review", output: { rows: [1, 2] }, isError: false },
    },
  ]);
  assert.equal(team.state.pendingTools.length, 1);
  assert.equal(ann.requests.length, 1);
});

test("a result that is sent is the model's, and the log says so", async () => {
  const look = testTool("look", () => ({ rows: [1, 2] }));
  const { team, ann, ref, events } = await waiting([look], "look");
  await team.resolveTools({ respond: [{ ref: ref("c1"), output: { rows: [1, 2] } }] });
  assert.deepEqual(shown(ann), [[{ rows: [1, 2] }, false]]);
  assert.partialDeepStrictEqual(
    events.find(({ type }) => type === "tool/executed"),
    { reviewed: "sent" },
  );
  assert.equal(look.runs.length, 1);
});

test("of an edited result the model sees only the edited one; the log has both", async () => {
  const look = testTool("look", () => "the key is 123");
  const { team, ann, ref, events } = await waiting([look], "look");
  await team.resolveTools({ respond: [{ ref: ref("c1"), output: "the key is left out" }] });
  assert.deepEqual(shown(ann), [["the key is left out", false]]);
  assert.ok(!JSON.stringify(ann.requests).includes("123"));
  assert.partialDeepStrictEqual(
    events.find(({ type }) => type === "tool/executed"),
    { output: "the key is left out", reviewed: "edited" },
  );
  assert.partialDeepStrictEqual(
    events.find(({ type }) => type === "tool/interrupted"),
    { interrupt: { output: "the key is 123" } },
  );
});

test("a result that is withheld is told with the reason, and that the call has run", async () => {
  const { team, ann, ref } = await waiting([testTool("look", () => "secret")], "look");
  await team.resolveTools({ deny: [{ ref: ref("c1"), reason: "it has a key" }] });
  assert.deepEqual(shown(ann), [
    ["This call has run, but the user has reviewed its result and withholds it: it has a key", true],
  ]);
  assert.ok(!JSON.stringify(ann.requests).includes("secret"));
});

test("an error is reviewed too, and stays one", async () => {
  const look = testTool("look", () => {
    throw new Error("no access to /secret");
  });
  const { team, ann, ref } = await waiting([look], "look");
  await team.resolveTools({ respond: [{ ref: ref("c1"), output: "no access" }] });
  assert.deepEqual(shown(ann), [["no access", true]]);
});

test("a call whose result waits is never run again: a restart is refused, and nothing changes", async () => {
  const look = testTool("look", () => "once");
  const { team, ref } = await waiting([look], "look");
  const before = team.state;
  const refused = await rejectionOf(() => team.resolveTools({ restart: [{ ref: ref("c1") }] }));
  assert.match(String(refused), /has run, and its result waits for review: respond with the result, or deny it\./);
  assert.equal(team.state, before);
  assert.equal(look.runs.length, 1);
});

test("a call that needs approval runs when it is approved, and then its result waits", async () => {
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const { team, ann, ref } = await waiting([pay], "pay");
  assert.deepEqual([team.state.pendingTools[0]?.approval, pay.runs.length], [true, 0]);
  await team.resolveTools({ restart: [{ ref: ref("c1") }] });
  assert.deepEqual([team.state.pendingTools[0]?.review, pay.runs.length], [true, 1]);
  await team.resolveTools({ respond: [{ ref: ref("c1"), output: "paid" }] });
  assert.deepEqual([shown(ann), pay.runs.length], [[["paid", false]], 1]);
});

test("an interrupt while a result waits withholds it: the log keeps it, and the conversation stays valid", async () => {
  const look = testTool("look", () => "secret");
  const { team, ann, events } = await waiting([look], "look");
  const receipt = await team.interrupt({ waitingCalls: "cancel" });
  assert.equal(receipt.cancelledTools?.length, 1);
  assert.deepEqual([team.state.status, team.state.pendingTools], ["paused", []]);
  await team.run();
  assert.deepEqual(shown(ann), [[`The user interrupted the team. ${UNREVIEWED_RESULT}`, true]]);
  assert.equal(conversationProblem(ann.lastItems), undefined);
  assert.ok(JSON.stringify(events).includes("secret"));
  assert.equal(look.runs.length, 1);
});

test("what a tool says of itself when it is interrupted is withheld, and kept in the log", async () => {
  const started = Promise.withResolvers<void>();
  const slow = testTool("slow", async (_input, { signal }) => {
    started.resolve();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    throw new Error("so far: secret");
  });
  const ann = new ScriptedModel(ask(call("c1", "slow")), say("thanks"));
  const { team, events } = testTeam({
    speakers: { ann },
    tools: [slow],
    maxTurns: 1,
    more: { ann: { review: ["*"] } },
  });
  const run = team.run("t");
  await started.promise;
  await team.interrupt({});
  await run;
  assert.deepEqual(team.state.pendingTools, []);
  await team.run();
  assert.ok(!JSON.stringify(ann.requests).includes("secret"));
  assert.ok(JSON.stringify(events).includes("secret"));
  assert.equal(conversationProblem(ann.lastItems), undefined);
});

test("a participant's `review` names tools whose results wait, by name or with a star", async () => {
  const ann = new ScriptedModel(ask(call("c1", "lookUp"), call("c2", "other")), say("thanks"));
  const tools = [testTool("lookUp", () => "found"), testTool("other", () => "free")];
  const { team } = testTeam({ speakers: { ann }, tools, maxTurns: 1, more: { ann: { review: ["look*"] } } });
  await team.run("t");
  assert.deepEqual(
    team.state.pendingTools.map(({ name, reason }) => [name, reason]),
    [["lookUp", "The team has you review what lookUp gives ann."]],
  );
});
