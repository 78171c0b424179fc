import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, call, ScriptedModel, say, spend } from "../testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const usage = { prompt: 6, completion: 4, total: 10, cost: 0.25 };

/** A team whose turns call a tool, and cost 20 tokens each: half of them outside messages. It pauses after two turns. */
function spender(budget: { readonly turns?: number; readonly tokens?: number; readonly cost?: number } = { turns: 2 }) {
  const steps = Array.from({ length: 20 }, () => [
    [...ask(call("c", "look")), spend(usage)],
    [...say("ann"), spend(usage)],
  ]).flat();
  return testTeam({
    speakers: { ann: new ScriptedModel(...steps) },
    tools: [testTool("look", () => 0)],
    termination: { any: [{ budget }, { tokenUsage: { total: 1_000 } }] },
  });
}

const progress = async ({ team }: TestTeam): Promise<readonly string[]> =>
  (await team.inspect()).conditions.map(({ progress: shown }) => shown);

test("who goes back in a thread does not get back what the conditions have counted", async () => {
  const run = spender();
  await run.team.run("one");
  const then = run.team.save();
  await run.team.run();
  const counted = await progress(run);
  assert.deepEqual(counted, ["0 turns of 2 turns", "80 of 1000 tokens"]);

  run.team.rewind(then);

  assert.equal(run.said().length, 3);
  assert.deepEqual(await progress(run), counted);
  assert.deepEqual(await progress(run.reopened()), counted);
  assert.equal(run.team.save().usage.total, then.usage.total, "the usage is what the state says");
  await run.team.run();
  assert.equal(run.said().length, 5, "a budget that was granted again is there, and no more");
});

test("a saved state tells what its conditions have counted outside messages, also where it is loaded", async () => {
  const run = spender({ turns: 2, tokens: 1_000, cost: 9 });
  await run.team.run("one");
  const counted = await progress(run);
  assert.deepEqual(counted, ["0 tokens of 1000 tokens, 0 turns of 2 turns, $0.0000 of $9.0000", "40 of 1000 tokens"]);
  const loaded = spender({ turns: 2, tokens: 1_000, cost: 9 });

  loaded.team.load(JSON.parse(JSON.stringify(run.team.save())));

  assert.deepEqual(await progress(loaded), counted);
  await loaded.team.run();
  assert.equal(loaded.said().length, 5);
});

test("what a conversation has spent that is over is not counted in the next", async () => {
  const run = testTeam({
    speakers: { ann: new ScriptedModel([...say("ann"), spend(usage)], [...say("ann"), spend(usage)]) },
    termination: { any: [{ maxMessages: 2 }, { tokenUsage: { total: 15 } }] },
  });
  const fresh = run.team.save();
  await run.team.run("one");

  run.team.rewind(fresh);

  const { stopReason } = await run.team.run("two");
  assert.match(stopReason ?? "", /Maximum number of messages/);
});

test("the time of the first run counts after a restart", async () => {
  const run = spender({ turns: 1 });
  await run.team.run("one");
  const inputs = run.reopened().team;
  await inputs.prepare();
  assert.equal(inputs.save().spent?.turns, 1);
  assert.ok((inputs.save().spent?.seconds ?? -1) >= 0);
});
