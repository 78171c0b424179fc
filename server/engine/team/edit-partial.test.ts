import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../shared/contract/condition.ts";
import type { Model } from "../model.ts";
import { rejectionOf } from "../testing/rejection.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const never = new Promise<never>(() => {});
const cutShort = (): ScriptedModel =>
  new ScriptedModel([...say("half ", "a word"), { type: "wait", until: never }], say("whole"));

/** A team in which bob has spoken, and ann was interrupted in mid-sentence. */
async function cut(termination?: Condition): Promise<TestTeam & { readonly id: string; readonly ann: ScriptedModel }> {
  const ann = cutShort();
  const fixture = testTeam({
    speakers: { bob: () => "bob", ann },
    ...(termination === undefined ? {} : { termination }),
  });
  const spoken = fixture.next("message/chunk", 2);
  const run = fixture.team.run("t");
  await spoken;
  await fixture.team.interrupt();
  await run;
  return { ...fixture, id: fixture.team.state.thread.at(-1)?.id ?? "", ann };
}

const lastLine = ({ team }: TestTeam, name: string): string | undefined =>
  team.state.participants.find((participant) => participant.name === name)?.lastLine;

test("an edited partial stays a partial and is marked as edited, and the model continues from the new text", async () => {
  const fixture = await cut({ maxMessages: 4 });

  fixture.team.editMessage(fixture.id, "a better half");

  assert.deepEqual(fixture.said(), ["user: t", "bob: bob", "ann: a better half…"]);
  assert.deepEqual(fixture.team.state.thread.at(-1)?.metadata, { edited: true });
  assert.equal(lastLine(fixture, "ann"), "a better half");
  assert.deepEqual(fixture.team.messages, fixture.team.state.thread);
  assert.deepEqual(fixture.folded(), fixture.team.state);
  const edited = fixture.events.at(-1);
  assert.deepEqual(edited?.type === "message/edited" && [edited.messageId, edited.content, edited.by], [
    fixture.id,
    "a better half",
    "user",
  ]);

  const result = await fixture.team.run();

  const own = fixture.ann.lastItems.filter((item) => item.role === "assistant");
  assert.deepEqual(
    own.map(({ content, partial }) => [content, partial]),
    [["a better half", true]],
  );
  assert.deepEqual(fixture.said().slice(3), ["ann: whole"]);
  assert.match(result.stopReason ?? "", /current message count: 4/);
});

test("a removed partial is shown to no model and not counted, and its speaker takes the turn again", async () => {
  const fixture = await cut({ maxMessages: 4 });

  fixture.team.editMessage(fixture.id, null);

  assert.deepEqual(fixture.said(), ["user: t", "bob: bob"]);
  assert.deepEqual([fixture.team.state.threadLength, fixture.team.state.conditionMessages], [2, 2]);
  assert.equal(lastLine(fixture, "ann"), undefined);
  assert.deepEqual(fixture.team.messages, fixture.team.state.thread);
  assert.deepEqual(fixture.folded(), fixture.team.state);

  const result = await fixture.team.run();

  assert.deepEqual(fixture.said(), ["user: t", "bob: bob", "ann: whole", "bob: bob"]);
  assert.match(result.stopReason ?? "", /current message count: 4/);
  assert.ok(fixture.ann.lastItems.every(({ role }) => role === "user"));
});

for (const content of ["a better half", null]) {
  test(`a partial that was ${content === null ? "removed" : "edited"} is so after a restart of the host, and in the counts`, async () => {
    const { team, id, reopened } = await cut({ any: [{ maxMessages: 4 }, { textMention: { text: "half a word" } }] });
    team.editMessage(id, content);

    const next = reopened();
    const result = await next.team.run();

    assert.deepEqual(next.team.messages.slice(0, team.messages.length), team.messages);
    assert.match(result.stopReason ?? "", /^Maximum number of messages 4 reached, current message count: 4$/);
  });
}

test("a partial that the conditions have counted already is removed from their count", async () => {
  const { team, id, said } = await cut({ maxMessages: 6 });
  const answered = await team.sendUserMessage("bob", ["And you?"], afterReply("pause"));
  assert.equal(answered.stopReason, "USER_MESSAGE_COMPLETED");

  team.editMessage(id, null);
  const result = await team.run();

  assert.match(result.stopReason ?? "", /current message count: 6/);
  assert.deepEqual(said(), ["user: t", "bob: bob", "user: And you?", "bob: bob", "ann: whole", "bob: bob"]);
});

test("a call that waits after a removed partial continues as if the partial had never existed", async () => {
  const ann = cutShort();
  const bob = new ScriptedModel(ask(call("c1", "pay")), say("thanks"));
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const more = { bob: { maxToolIterations: 1 } };
  const { team, next, said, ref } = testTeam({ speakers: { ann, bob }, tools: [pay], more });
  const spoken = next("message/chunk", 2);
  const run = team.run("t");
  await spoken;
  await team.interrupt();
  await run;
  const partial = team.state.thread.at(-1)?.id ?? "";
  await team.sendUserMessage("bob", ["Pay"], afterReply("pause"));

  team.editMessage(partial, null);
  await team.resolveTools({ restart: [{ ref: ref("c1") }] });

  // The call was the only iteration of the turn, so its result ends the turn.
  assert.deepEqual(said(), ["user: t", "user: Pay", "bob: paid"]);
  const other = testTeam({ speakers: { ann, bob }, tools: [pay] });
  other.team.load(team.save());
  assert.deepEqual(other.team.save(), team.save());
});

test("only a partial can be changed, and only at rest", async () => {
  const { team, next, id } = await cut();
  const whole = team.state.thread[1]?.id ?? "";
  const before = team.state;

  const faults = [
    await rejectionOf(() => team.editMessage(whole, null)),
    await rejectionOf(() => team.editMessage("nothing", "x")),
  ];
  assert.deepEqual(
    faults.map(({ data }) => data.code),
    ["InvalidParams", "InvalidParams"],
  );
  assert.match(faults[0]?.message ?? "", /the message of bob is complete/);
  assert.equal(team.state, before);

  const started = next("reasoning/start");
  const run = team.run();
  await started;
  assert.equal((await rejectionOf(() => team.editMessage(id, null))).data.code, "TeamBusy");
  await team.interrupt();
  await run;
});

test("a partial of a nested team is changed there", async () => {
  const ann: Model = cutShort();
  const { team, next, events, folded, said } = testTeam({
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
  const spoken = next("message/chunk", 2);
  const run = team.run("t");
  await spoken;
  await team.interrupt();
  await run;
  const inner = () =>
    (team.state.inner?.["research"]?.thread ?? []).map(({ source, content }) => `${source}: ${content}`);
  const partial = team.state.inner?.["research"]?.thread.at(-1)?.id ?? "";

  team.editMessage(partial, "a better half");
  assert.deepEqual(inner(), ["user: t", "ann: a better half"]);
  assert.deepEqual(events.at(-1)?.path, ["research"]);
  team.editMessage(partial, null);

  assert.deepEqual(inner(), ["user: t"]);
  assert.deepEqual(folded(), team.state);
  await team.run();
  assert.deepEqual(said(), ["user: t", "research: whole"]);
});
