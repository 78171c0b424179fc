import assert from "node:assert/strict";
import { test } from "node:test";
import { interruptAt } from "../testing/interrupt-at.ts";
import { aborted, ask, call, ScriptedModel, say, spend } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const usage = { prompt: 10, completion: 0, total: 10 };

test("functionCall ends the run at the end of the turn in which a tool of that name was executed", async () => {
  const answers = () => new ScriptedModel(ask(call("c1", "look")), ask(call("c2", "book")), say("booked"));
  const { team, said } = testTeam({
    speakers: { ann: answers(), bob: () => "bob" },
    tools: [testTool("look"), testTool("book")],
    termination: { functionCall: { name: "book" } },
  });

  const { stopReason } = await team.run("t");

  assert.equal(stopReason, "Function 'book' was executed.");
  assert.deepEqual(said(), ["user: t", "ann: booked"]);
});

test("an interrupted call does not count as executed, before and after a restart of the host", async () => {
  const book = testTool("book", (_, { signal }) => aborted(signal).then(() => Promise.reject(signal.reason)));
  const options = { tools: [book], termination: { functionCall: { name: "book" } }, maxTurns: 1 };
  const ann = new ScriptedModel(ask(call("c1", "book")), say("well"), say("well"));
  const fixture = testTeam({ speakers: { ann }, ...options });
  const started = fixture.next("tool/started");
  const run = fixture.team.run("t");
  await started;
  await fixture.team.interrupt();
  await run;

  const reopened = fixture.reopened();
  assert.equal((await fixture.team.run()).stopReason, "Maximum number of turns 1 reached.");
  assert.equal((await reopened.team.run()).stopReason, "Maximum number of turns 1 reached.");
});

test("tokenUsage counts every model step, including steps that ended in calls, before and after a restart of the host", async () => {
  const model = () => new ScriptedModel([...ask(call("c1", "look")), spend(usage)], [...say("a ", "b"), spend(usage)]);
  const options = { tools: [testTool("look")], termination: { tokenUsage: { total: 20 } } };
  const { team, said } = testTeam({ speakers: { ann: model() }, ...options });
  assert.match((await team.run("t")).stopReason ?? "", /^Token usage limit reached, total: 20/);
  assert.deepEqual(said(), ["user: t", "ann: a b"]);

  const cut = testTeam({ speakers: { ann: model() }, ...options });
  const interrupting = interruptAt(cut.team, "message/chunk");
  await cut.team.run("t");
  await interrupting;
  const ann = new ScriptedModel([...say("c"), spend(usage)]);
  const reopened = cut.reopened({ speakers: { ann } });
  assert.match((await reopened.team.run()).stopReason ?? "", /^Token usage limit reached, total: 20/);
  assert.equal(ann.requests.length, 1);
});

test("input that an interrupt left unchecked is counted at the next check", async () => {
  const ann = new ScriptedModel(say("all ", "DONE"), say("and more"));
  const { team, said } = testTeam({
    speakers: { ann, bob: () => "bob" },
    termination: { textMention: { text: "DONE" } },
  });
  const interrupting = interruptAt(team, "message/chunk", 2);
  await team.run("t");
  await interrupting;
  assert.deepEqual(said(), ["user: t", "ann: all DONE…"]);

  const { stopReason } = await team.run();

  assert.equal(stopReason, "Text 'DONE' mentioned");
  assert.deepEqual(said().slice(2), ["ann: and more"]);
});

test("external ends a run only on request; within any it is one of the conditions", async () => {
  const { team } = testTeam({
    speakers: { ann: () => "ann" },
    termination: { any: [{ external: true }, { maxMessages: 3 }] },
  });

  assert.match((await team.run("t")).stopReason ?? "", /^Maximum number of messages 3 reached/);
});
