import assert from "node:assert/strict";
import { test } from "node:test";
import { SavedState } from "../../../shared/contract/saved-state.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, type TestTeamOptions, testTeam } from "../testing/team.ts";
import { testTool } from "../testing/tools.ts";

/** What a team's state is as plain JSON, and what loading that into a new team of the same definition gives. */
function reloaded(options: TestTeamOptions, state: SavedState) {
  const json: unknown = JSON.parse(JSON.stringify(state));
  const it = testTeam(options);
  it.team.load(SavedState.parse(json));
  return { ...it, json };
}

test("save, load, save are equal for a new team", () => {
  const options = { speakers: names("ann") };
  const saved = testTeam(options).team.save();

  assert.deepEqual(reloaded(options, saved).team.save(), saved);
});

test("save, load, save are equal for a team that was interrupted in mid-answer, and the loaded one goes on with the same speaker", async () => {
  const options = () => ({
    speakers: { bob: () => "bob", ann: new ScriptedModel(say("a ", "b ", "c")) },
    termination: { maxMessages: 5 },
  });
  const first = testTeam(options());
  const interrupting = interruptAt(first.team, "message/chunk", 2);
  await first.team.run("t");
  await interrupting;
  const saved = first.team.save();

  const it = reloaded(options(), saved);
  assert.deepEqual(it.team.save(), saved);
  assert.deepEqual(it.said(), ["user: t", "bob: bob", "ann: a b …"]);
  assert.deepEqual([it.team.state.status, it.team.state.interrupted], ["paused", true]);

  const { stopReason } = await it.team.run();
  assert.deepEqual(it.said().slice(3), ["ann: a b c", "bob: bob"]);
  assert.match(stopReason ?? "", /current message count: 5$/, "the conditions go on counting");
});

test("save, load, save are equal for a team that waits for tools, and the loaded one can be answered", async () => {
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const look = testTool("look", () => 0);
  const options = (ann: ScriptedModel) => ({ speakers: { ann }, tools: [pay, look], maxTurns: 1 });
  const first = testTeam(options(new ScriptedModel(ask(call("c1", "pay"), call("c2", "look")))));
  await first.team.run("t");
  const saved = first.team.save();

  const ann = new ScriptedModel();
  const it = reloaded(options(ann), saved);
  assert.deepEqual(it.team.save(), saved);
  assert.equal(it.team.state.status, "awaitingTools");

  await it.team.resolveTools({ restart: [{ ref: "c1" }] });
  assert.deepEqual(ann.lastItems.slice(1), [
    {
      role: "assistant",
      content: "",
      calls: [
        { ref: "c1", name: "pay", input: {} },
        { ref: "c2", name: "look", input: {} },
      ],
    },
    { role: "tool", ref: "c1", name: "pay", output: "paid", isError: false },
    { role: "tool", ref: "c2", name: "look", output: 0, isError: false },
  ]);
  assert.equal(look.runs.length, 1);
});

test("a state that is loaded takes the place of all that stood", async () => {
  const options = { speakers: names("ann", "bob"), maxTurns: 1 };
  const fresh = testTeam(options).team.save();
  const it = testTeam(options);
  await it.team.run("t");

  it.team.load(fresh);

  assert.deepEqual(it.said(), []);
  await it.team.run("u");
  assert.deepEqual(it.said(), ["user: u", "ann: ann"]);
  assert.deepEqual(it.team.state, it.folded());
});

test("a saved state does not change with the team it came from", async () => {
  const it = testTeam({ speakers: names("ann"), maxTurns: 1 });
  await it.team.run("t");
  const saved = it.team.save();
  const copy = structuredClone(saved);

  await it.team.run("u");

  assert.deepEqual(saved, copy);
});

test("a loaded state survives a restart", async () => {
  const options = { speakers: names("ann"), maxTurns: 1 };
  const first = testTeam(options);
  await first.team.run("t");
  const saved = first.team.save();

  const it = reloaded(options, saved).reopened();

  assert.deepEqual(it.team.save(), saved);
});
