import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../shared/contract/condition.ts";
import type { Model } from "../model.ts";
import { refused } from "../testing/refused.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, type TestTeam, testTeam } from "../testing/team.ts";
import { testTool } from "../testing/tools.ts";

const never = new Promise<never>(() => {});
const cutShort = (): ScriptedModel =>
  new ScriptedModel([...say("half ", "a word"), { type: "wait", until: never }], say("whole"));

/** Bob has spoken, then ann is interrupted in mid-sentence. */
async function cut(termination?: Condition): Promise<TestTeam & { readonly id: string; readonly ann: ScriptedModel }> {
  const ann = cutShort();
  const it = testTeam({ speakers: { bob: () => "bob", ann }, ...(termination === undefined ? {} : { termination }) });
  const spoken = it.next("message/chunk", 2);
  const run = it.team.run("t");
  await spoken;
  await it.team.interrupt();
  await run;
  return { ...it, id: it.team.state.thread.at(-1)?.id ?? "", ann };
}

const lastLine = ({ team }: TestTeam, name: string): string | undefined =>
  team.state.participants.find((participant) => participant.name === name)?.lastLine;

test("a partial message is written anew: it stays a partial, says so, and the model goes on from the new text", async () => {
  const it = await cut({ maxMessages: 4 });

  it.team.editMessage(it.id, "a better half");

  assert.deepEqual(it.said(), ["user: t", "bob: bob", "ann: a better half…"]);
  assert.deepEqual(it.team.state.thread.at(-1)?.metadata, { edited: true });
  assert.equal(lastLine(it, "ann"), "a better half");
  assert.deepEqual(it.team.messages, it.team.state.thread);
  assert.deepEqual(it.folded(), it.team.state);
  const edited = it.events.at(-1);
  assert.deepEqual(edited?.type === "message/edited" && [edited.messageId, edited.content, edited.by], [
    it.id,
    "a better half",
    "user",
  ]);

  const result = await it.team.run();

  const own = it.ann.lastItems.filter((item) => item.role === "assistant");
  assert.deepEqual(
    own.map(({ content, partial }) => [content, partial]),
    [["a better half", true]],
  );
  assert.deepEqual(it.said().slice(3), ["ann: whole"]);
  assert.match(result.stopReason ?? "", /current message count: 4/);
});

test("a partial message is taken out: nobody is shown it, it counts for nothing, and its speaker is asked again", async () => {
  const it = await cut({ maxMessages: 4 });

  it.team.editMessage(it.id, null);

  assert.deepEqual(it.said(), ["user: t", "bob: bob"]);
  assert.deepEqual([it.team.state.threadLength, it.team.state.conditionMessages], [2, 2]);
  assert.equal(lastLine(it, "ann"), undefined);
  assert.deepEqual(it.team.messages, it.team.state.thread);
  assert.deepEqual(it.folded(), it.team.state);

  const result = await it.team.run();

  assert.deepEqual(it.said(), ["user: t", "bob: bob", "ann: whole", "bob: bob"]);
  assert.match(result.stopReason ?? "", /current message count: 4/);
  assert.ok(it.ann.lastItems.every(({ role }) => role === "user"));
});

for (const content of ["a better half", null]) {
  test(`what was ${content === null ? "taken out" : "written anew"} is so for the host that opens the team next, and its counts`, async () => {
    const it = await cut({ any: [{ maxMessages: 4 }, { textMention: { text: "half a word" } }] });
    it.team.editMessage(it.id, content);

    const next = it.reopened();
    const result = await next.team.run();

    assert.deepEqual(next.team.messages.slice(0, it.team.messages.length), it.team.messages);
    assert.match(result.stopReason ?? "", /^Maximum number of messages 4 reached, current message count: 4$/);
  });
}

test("a partial that the conditions have counted already is taken out of their count", async () => {
  const it = await cut({ maxMessages: 6 });
  const answered = await it.team.sendUserMessage("bob", ["And you?"], afterReply("pause"));
  assert.equal(answered.stopReason, "USER_MESSAGE_COMPLETED");

  it.team.editMessage(it.id, null);
  const result = await it.team.run();

  assert.match(result.stopReason ?? "", /current message count: 6/);
  assert.deepEqual(it.said(), ["user: t", "bob: bob", "user: And you?", "bob: bob", "ann: whole", "bob: bob"]);
});

test("a call that waits after a partial goes on as if the partial had never been, once that is taken out", async () => {
  const ann = cutShort();
  const bob = new ScriptedModel(ask(call("c1", "pay")), say("thanks"));
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const more = { bob: { maxToolIterations: 1 } };
  const it = testTeam({ speakers: { ann, bob }, tools: [pay], more });
  const spoken = it.next("message/chunk", 2);
  const run = it.team.run("t");
  await spoken;
  await it.team.interrupt();
  await run;
  const partial = it.team.state.thread.at(-1)?.id ?? "";
  await it.team.sendUserMessage("bob", ["Pay"], afterReply("pause"));

  it.team.editMessage(partial, null);
  await it.team.resolveTools({ restart: [{ ref: "c1" }] });

  // The call was the turn's one iteration, so its result is the turn's end.
  assert.deepEqual(it.said(), ["user: t", "user: Pay", "bob: paid"]);
  const other = testTeam({ speakers: { ann, bob }, tools: [pay] });
  other.team.load(it.team.save());
  assert.deepEqual(other.team.save(), it.team.save());
});

test("only what was cut short can be changed, and only at rest", async () => {
  const it = await cut();
  const whole = it.team.state.thread[1]?.id ?? "";
  const before = it.team.state;

  const faults = [
    await refused(() => it.team.editMessage(whole, null)),
    await refused(() => it.team.editMessage("nothing", "x")),
  ];
  assert.deepEqual(
    faults.map(({ data }) => data.code),
    ["InvalidParams", "InvalidParams"],
  );
  assert.match(faults[0]?.message ?? "", /the message of bob is whole/);
  assert.equal(it.team.state, before);

  const started = it.next("reasoning/start");
  const run = it.team.run();
  await started;
  assert.equal((await refused(() => it.team.editMessage(it.id, null))).data.code, "TeamBusy");
  await it.team.interrupt();
  await run;
});

test("a partial message within a nested team is changed there", async () => {
  const ann: Model = cutShort();
  const it = testTeam({
    speakers: { ann },
    participants: [
      {
        name: "research",
        kind: "team",
        team: { name: "R", kind: "roundRobin", participants: [{ name: "ann", model: "ann" }], maxTurns: 1 },
      },
    ],
    maxTurns: 1,
  });
  const spoken = it.next("message/chunk", 2);
  const run = it.team.run("t");
  await spoken;
  await it.team.interrupt();
  await run;
  const inner = () =>
    (it.team.state.inner?.["research"]?.thread ?? []).map(({ source, content }) => `${source}: ${content}`);
  const partial = it.team.state.inner?.["research"]?.thread.at(-1)?.id ?? "";

  it.team.editMessage(partial, "a better half");
  assert.deepEqual(inner(), ["user: t", "ann: a better half"]);
  assert.deepEqual(it.events.at(-1)?.path, ["research"]);
  it.team.editMessage(partial, null);

  assert.deepEqual(inner(), ["user: t"]);
  assert.deepEqual(it.folded(), it.team.state);
  await it.team.run();
  assert.deepEqual(it.said(), ["user: t", "research: whole"]);
});
