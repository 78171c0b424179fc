import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { interruptedEverywhere } from "../testing/interrupt-everywhere.ts";
import { microtasks } from "../testing/microtasks.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";
import { handoffToolName } from "./handoff-tools.ts";

const TO_BOB = "Transferred to bob, adopting the role of bob immediately.";
const toBob = { ann: { handoffs: ["bob"] } };
const handoffIn = ({ team }: TestTeam): ChatMessage | undefined =>
  team.state.thread.find(({ type }) => type === "HandoffMessage");
const results = (model: ScriptedModel): unknown[] =>
  model.lastItems.flatMap((item) => (item.role === "tool" ? [[item.ref, item.output]] : []));

test("a handoff is offered as a tool, and its call ends the turn with a handoff message, directly after the handoff event", async () => {
  const ann = new ScriptedModel(ask(call("c1", "transfer_to_bob")));
  const fixture = testTeam({ speakers: { ann, bob: () => "here" }, more: toBob, maxTurns: 2 });

  const { status } = await fixture.team.run("t");

  assert.equal(status.code, "success");
  assert.deepEqual(
    ann.requests[0]?.tools.map(({ name, description }) => [name, description]),
    [["transfer_to_bob", "Hand off the conversation to bob."]],
  );
  assert.equal(ann.requests.length, 1);
  assert.deepEqual(fixture.said(), ["user: t", `ann: ${TO_BOB}`, "bob: here"]);
  assert.deepEqual(handoffIn(fixture)?.metadata, { target: "bob" });
  const at = fixture.types().indexOf("handoff");
  const [message, handoff] = fixture.events.slice(at - 1);
  assert.ok(handoff?.type === "handoff" && message?.type === "message/added");
  assert.deepEqual([handoff.from, handoff.to, message.message.type], ["ann", "bob", "HandoffMessage"]);
  assert.equal(fixture.team.state.handoffTo, "bob");
});

test("a handoff has the description and message of its definition, by default the target's description", async () => {
  const ann = new ScriptedModel(ask(call("c1", "transfer_to_bob")));
  const handoffs = [{ target: "bob", description: "For sums.", message: "Bob, please add." }, "cy"];
  const more = { ann: { handoffs }, cy: { description: "Knows the law." } };
  const { team, said } = testTeam({ speakers: { ann, bob: () => "b", cy: () => "c" }, more, maxTurns: 1 });

  await team.run("t");

  assert.deepEqual(
    ann.requests[0]?.tools.map(({ description }) => description),
    ["For sums.", "Hand off the conversation to cy: Knows the law."],
  );
  assert.deepEqual(said(), ["user: t", "ann: Bob, please add."]);
});

test("the names of handoff tools are valid and unique", async () => {
  assert.equal(handoffToolName("Bob"), "transfer_to_bob");
  assert.equal(handoffToolName("Zoë"), "transfer_to_zo_");
  assert.equal(handoffToolName("b".repeat(64)).length, 64);
  const long = "b".repeat(60);
  const ann = new ScriptedModel(ask(call("c1", `${handoffToolName(long).slice(0, 62)}_2`)));
  const names = ["Zoë", "Zoé", `${long}1`, `${long}2`];
  const others = Object.fromEntries(names.map((name) => [name, () => name]));
  const fixture = testTeam({ speakers: { ann, ...others }, more: { ann: { handoffs: names } }, maxTurns: 1 });

  await fixture.team.run("t");

  const tools = ann.requests[0]?.tools.map(({ name }) => name) ?? [];
  assert.equal(new Set(tools).size, 4);
  for (const tool of tools) assert.match(tool, /^[a-z0-9_-]{1,64}$/);
  assert.deepEqual(handoffIn(fixture)?.metadata, { target: `${long}2` });
});

test("the other calls of the answer run first, and the target sees their results as text of ann", async () => {
  const ann = new ScriptedModel(
    ask(call("c0", "look", "first")),
    ask(call("c1", "transfer_to_bob"), call("c2", "look", "a"), call("c3", "fail")),
  );
  const bob = new ScriptedModel();
  const fail = testTool("fail", () => {
    throw new Error("no such thing");
  });
  const look = testTool("look", async (input) => {
    await microtasks(5);
    return input;
  });
  const fixture = testTeam({ speakers: { ann, bob }, tools: [look, fail], more: toBob, maxTurns: 2 });

  await fixture.team.run("t");

  const executed = fixture.events.flatMap((event) => (event.type === "tool/executed" ? [event.ref] : []));
  assert.equal(fixture.withIds(executed.at(-1)), "c1");
  const context = [
    { name: "look", input: "first", output: "first", isError: false },
    { name: "look", input: "a", output: "a", isError: false },
    { name: "fail", input: {}, output: "no such thing", isError: true },
  ];
  assert.deepEqual(handoffIn(fixture)?.metadata, { target: "bob", context });
  const [, fromAnn] = bob.lastItems;
  assert.ok(fromAnn?.role === "user" && fromAnn.source === "ann");
  assert.match(String(fromAnn.content), /look\("a"\) returned:\na\n\nfail\({}\) failed:\nno such thing$/);
});

test("only the first handoff of an answer is made; the results of the others say so, and each call has one result", async () => {
  const ann = new ScriptedModel(ask(call("c1", "transfer_to_cy"), call("c2", "transfer_to_bob")), say("again"));
  const more = { ann: { handoffs: ["bob", "cy"] } };
  const fixture = testTeam({ speakers: { ann, bob: () => "b", cy: () => "c" }, more, maxTurns: 4 });

  await fixture.team.run("t");

  assert.equal(fixture.types().filter((type) => type === "handoff").length, 1);
  assert.deepEqual(handoffIn(fixture)?.metadata, { target: "cy" });
  assert.equal(conversationProblem(ann.lastItems), undefined);
  assert.deepEqual(fixture.withIds(results(ann)), [
    ["c1", "Transferred to cy, adopting the role of cy immediately."],
    ["c2", "Only one handoff is allowed per response. This handoff was not performed."],
  ]);
});

test("a handoff next to a call that waits for the user waits too, and is then made without asking the model again", async () => {
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const ann = new ScriptedModel(ask(call("c1", "transfer_to_bob"), call("c2", "pay", 5)));
  const fixture = testTeam({ speakers: { ann, bob: () => "here" }, tools: [pay], more: toBob, maxTurns: 2 });

  const waiting = await fixture.team.run("t");
  assert.equal(waiting.stopReason, "TOOL_INTERRUPT");
  assert.equal(handoffIn(fixture), undefined);
  const there = fixture.reopened();
  await there.team.resolveTools({ restart: [{ ref: fixture.ref("c2") }] });

  assert.equal(ann.requests.length, 1);
  assert.deepEqual(there.said(), ["user: t", `ann: ${TO_BOB}`, "bob: here"]);
  const context = [{ name: "pay", input: 5, output: "paid", isError: false }];
  assert.deepEqual(handoffIn(there)?.metadata, { target: "bob", context });
});

test("a handoff that was interrupted before its message is made when the run continues, unless the user sent a message", async () => {
  const script = () => new ScriptedModel(ask(call("c1", "transfer_to_bob")), say("as you wish"));
  for (const task of [undefined, "Do it yourself."]) {
    const ann = script();
    const fixture = testTeam({ speakers: { ann, bob: () => "here" }, more: toBob, maxTurns: 2 });
    const interrupting = interruptAt(fixture.team, "tool/executed");
    await fixture.team.run("t");
    await interrupting;
    assert.equal(handoffIn(fixture), undefined);

    await fixture.team.run(task);

    assert.equal(handoffIn(fixture) !== undefined, task === undefined);
    assert.equal(ann.requests.length, task === undefined ? 1 : 2);
    assert.equal(fixture.said().at(-2), task === undefined ? `ann: ${TO_BOB}` : "ann: as you wish");
  }
});

test("a handoff whose call was interrupted was not made: the model is asked again", async () => {
  const ann = new ScriptedModel(ask(call("c1", "transfer_to_bob")), say("I go on."));
  const { team, said, withIds } = testTeam({ speakers: { ann }, more: toBob, maxTurns: 1 });
  const interrupting = interruptAt(team, "tool/requested");
  await team.run("t");
  await interrupting;

  await team.run();

  assert.deepEqual(withIds(results(ann)), [["c1", "The user interrupted this call before it ended."]]);
  assert.deepEqual(said(), ["user: t", "ann: I go on."]);
});

test("wherever it is interrupted, a handoff is made once, directly after its message, and the next speaker sees it", async () => {
  const models: ScriptedModel[] = [];
  const make = (): TestTeam => {
    const script = [...say("I ", "look."), ...ask(call("c1", "look"), call("c2", "transfer_to_bob"))];
    const ann = new ScriptedModel(script, script, script);
    const bob = new ScriptedModel(say("do", "ne"), say("done"));
    models.push(ann, bob);
    const look = testTool("look", async () => {
      await microtasks(3);
      return "seen";
    });
    return testTeam({ speakers: { ann, bob }, tools: [look], more: toBob, maxTurns: 2, graceMs: 1 });
  };

  for await (const { fixture, where, result, resultsOf } of interruptedEverywhere(make)) {
    assert.equal(result.status.code, "success", where);
    assert.deepEqual(fixture.team.state, fixture.folded(), where);
    for (const [ref, results] of Object.entries(resultsOf)) assert.equal(results, 1, `${where}: the results of ${ref}`);
    const whole = fixture.team.state.thread.filter(({ partial }) => !partial);
    // The last word may have been interrupted, and continued from there.
    const [task, handoff, last] = whole;
    assert.deepEqual([task?.source, handoff?.source, last?.source, whole.length], ["user", "ann", "bob", 3], where);
    assert.equal(handoff?.type, "HandoffMessage", where);
    assert.equal(handoff?.content, TO_BOB, where);
    assert.ok(Array.isArray(handoff?.metadata?.["context"]), where);
    const kept = fixture.events.filter((event) => "seq" in event && !event.type.startsWith("interrupt/"));
    const at = kept.findIndex(({ type }) => type === "handoff");
    assert.equal(kept.filter(({ type }) => type === "handoff").length, 1, where);
    const said = kept[at - 1];
    assert.ok(said?.type === "message/added" && said.message.type === "HandoffMessage", where);
  }
  for (const { requests } of models)
    for (const { items } of requests) assert.equal(conversationProblem(items), undefined);
});
