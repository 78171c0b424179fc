import assert from "node:assert/strict";
import { test } from "node:test";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { foldOf } from "../testing/memory-journal.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, TEAM_ID, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const never = new Promise<never>(() => {});

test("the host dies in mid-answer: the text that had arrived is a partial, the run is marked, and the same speaker continues", async () => {
  const ann = new ScriptedModel([...say("Once ", "upon "), { type: "wait", until: never }]);
  const died = testTeam({ speakers: { ann, bob: () => "bob" }, maxTurns: 1 });
  const streaming = died.next("message/chunk", 2);
  died.team.run("t").catch(assert.fail);
  await streaming;

  const again = new ScriptedModel(say("a time"));
  const { team, said, events, types } = died.reopened({ speakers: { ann: again, bob: () => "bob" } });
  team.recover();

  assert.deepEqual(said(), ["user: t", "ann: Once upon …"]);
  assert.deepEqual([team.state.status, team.state.interrupted], ["paused", true]);
  const end = events.at(-1);
  assert.deepEqual(end?.type === "run/ended" && [end.stopReason, end.status], [
    null,
    { code: "interrupted", reason: "host_stopped", message: "The host stopped during the run." },
  ]);
  assert.ok(types().includes("reasoning/conclusion"), "the turn is concluded");

  await team.run();
  assert.deepEqual(said(), ["user: t", "ann: Once upon …", "ann: a time"]);
  assert.deepEqual(
    again.lastItems.map((item) => "content" in item && item.content),
    ["t", "Once upon "],
  );
});

test("the host dies while a tool runs: the call becomes pending with outcome unknown, and never silently runs again", async () => {
  const slow = testTool("slow", () => never);
  const fast = testTool("fast", () => "done");
  const calls = ask(call("c1", "slow"), call("c2", "fast"));
  const died = testTeam({ speakers: { ann: new ScriptedModel(calls) }, tools: [slow, fast], maxTurns: 1 });
  const done = died.next("tool/executed");
  died.team.run("t").catch(assert.fail);
  await done;

  const again = new ScriptedModel(say("thanks"));
  const { team, said, ref, withIds } = died.reopened({ speakers: { ann: again } });
  team.recover();

  assert.equal(team.state.status, "awaitingTools");
  assert.deepEqual(withIds(team.state.pendingTools), [
    { ref: "c1", name: "slow", participant: "ann", input: {}, interrupt: { outcome: "unknown" } },
  ]);
  await assert.rejects(team.run(), { data: { code: "InvalidResume", pending: [ref("c1")] } });

  await team.resolveTools({ respond: [{ ref: ref("c1"), output: "I looked: it had worked" }] });
  assert.deepEqual([slow.runs.length, fast.runs.length], [1, 1]);
  assert.deepEqual(
    again.lastItems.flatMap((item) => (item.role === "tool" ? [item.output] : [])),
    ["I looked: it had worked", "done"],
  );
  assert.equal(conversationProblem(again.lastItems), undefined);
  assert.deepEqual(said(), ["user: t", "ann: thanks"]);
});

test("pending calls survive a restart of the host, and are answered as before", async () => {
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const first = new ScriptedModel(ask(call("c1", "pay", 5)));
  const died = testTeam({ speakers: { ann: first }, tools: [pay], maxTurns: 1 });
  await died.team.run("t");

  const again = new ScriptedModel(say("thanks"));
  const { team, events, ref, withIds } = died.reopened({ speakers: { ann: again } });
  team.recover();
  assert.deepEqual(events, [], "a team at rest is left as it is");
  assert.deepEqual(withIds(team.state.pendingTools.map(({ ref }) => ref)), ["c1"]);

  const { result } = await team.resolveTools({ restart: [{ ref: ref("c1") }] });
  assert.equal(result?.status.code, "success");
  assert.deepEqual(
    pay.runs.map(({ input }) => input),
    [5],
  );
});

test("the host dies at any event: reopened, the team is at rest, each call has a result or is pending, and it continues to the end", async () => {
  const look = testTool("look", (input) => input);
  const answers = () => [
    [...say("let me ", "see"), ...ask(call("c1", "look", 1), call("c2", "look", 2))],
    say("I ", "saw"),
  ];
  const whole = testTeam({
    speakers: { ann: new ScriptedModel(...answers()), bob: () => "bob" },
    tools: [look],
    maxTurns: 2,
  });
  await whole.team.run("t");

  const { kept } = whole.journal;
  assert.ok(kept.length > 15);
  for (let length = 1; length <= kept.length; length++) {
    const where = `died after ${length}, ${kept[length - 1]?.type}`;
    const before = testTeam({ speakers: { ann: new ScriptedModel(), bob: () => "bob" }, tools: [look], maxTurns: 2 });
    before.journal.kept.push(...kept.slice(0, length));
    const ann = new ScriptedModel(say("again"));
    const { team, journal, definition } = before.reopened({ speakers: { ann, bob: () => "bob" } });

    team.recover();
    assert.equal(team.state.run, null, where);
    assert.deepEqual([team.state.calls, team.state.streaming], [[], []], where);
    const pending = team.state.pendingTools.map(({ ref }) => ({ ref }));
    const result = pending.length > 0 ? (await team.resolveTools({ restart: pending })).result : await team.run();
    assert.equal(result?.status.code, "success", where);
    for (const { items } of ann.requests) assert.equal(conversationProblem(items), undefined, where);
    assert.deepEqual(team.state, foldOf(journal.kept, TEAM_ID, definition), where);
  }
});

test("after a restart conditions continue counting", async () => {
  const died = testTeam({ speakers: names("ann", "bob"), termination: { maxMessages: 5 } });
  const interrupting = died.next("speaker/selected", 2).then(() => died.team.interrupt());
  await died.team.run("t");
  await interrupting;
  const said = died.said().length;
  assert.ok(said >= 2 && said < 5);

  const { team } = died.reopened();
  const { stopReason, messages } = await team.run();

  assert.equal(stopReason, "Maximum number of messages 5 reached, current message count: 5");
  assert.equal(messages.length, 5 - said);
});

test("after a restart the model may give the ids of earlier calls again", async () => {
  const look = testTool("look");
  const died = testTeam({ speakers: { ann: new ScriptedModel(ask(call("c1", "look"))) }, tools: [look], maxTurns: 1 });
  await died.team.run("t");

  const ann = new ScriptedModel(ask(call("c1", "look")));
  const { team } = died.reopened({ speakers: { ann } });
  await team.run();

  const refs = ann.lastItems.flatMap((item) => (item.role === "tool" ? [item.ref] : []));
  assert.equal(refs.length, 2);
  assert.equal(new Set(refs).size, 2);
  assert.equal(conversationProblem(ann.lastItems), undefined);
});

test("the host dies between a decision and its effect: the call is pending as before", async () => {
  for (const decide of [
    (ref: string) => ({ respond: [{ ref, output: 1 }] }),
    (ref: string) => ({ deny: [{ ref }] }),
    (ref: string) => ({ restart: [{ ref }] }),
  ]) {
    const pay = testTool("pay", () => "paid", { approval: "ask" });
    const died = testTeam({ speakers: { ann: new ScriptedModel(ask(call("c1", "pay"))) }, tools: [pay], maxTurns: 1 });
    await died.team.run("t");
    died.journal.onFailure = (error) => died.team.fail(error);
    died.journal.fails = (event) => event.type !== "tool/resolved";
    await died.team.resolveTools(decide(died.ref("c1"))).catch(() => {});
    died.journal.fails = () => false;

    const { team, ref, withIds } = died.reopened({ speakers: { ann: new ScriptedModel(say("thanks")) } });
    team.recover();

    assert.deepEqual(withIds(team.state.pendingTools), [
      { ref: "c1", name: "pay", participant: "ann", input: {}, approval: true },
    ]);
    assert.equal(team.state.status, "awaitingTools");
    const { result } = await team.resolveTools({ restart: [{ ref: ref("c1") }] });
    assert.equal(result?.messages.at(-1)?.content, "thanks");
    assert.equal(pay.runs.length, 1);
  }
});
