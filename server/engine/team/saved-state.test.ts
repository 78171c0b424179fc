import assert from "node:assert/strict";
import { test } from "node:test";
import { SavedState } from "../../../shared/contract/saved-state.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** The saved state of a team as plain JSON, and a new team of the same definition that has loaded it. */
function reloaded(options: TestTeamOptions, state: SavedState) {
  const json: unknown = JSON.parse(JSON.stringify(state));
  const fixture = testTeam(options);
  fixture.team.load(SavedState.parse(json));
  return { ...fixture, json };
}

test("save, load, save are equal for a new team", () => {
  const options = { speakers: names("ann") };
  const saved = testTeam(options).team.save();

  assert.deepEqual(reloaded(options, saved).team.save(), saved);
});

test("save, load, save are equal for a team that was interrupted in mid-answer, and the loaded one continues with the same speaker", async () => {
  const options = () => ({
    speakers: { bob: () => "bob", ann: new ScriptedModel(say("a ", "b ", "c")) },
    termination: { maxMessages: 5 },
  });
  const first = testTeam(options());
  const interrupting = interruptAt(first.team, "message/chunk", 2);
  await first.team.run("t");
  await interrupting;
  const saved = first.team.save();

  const { team, said } = reloaded(options(), saved);
  assert.deepEqual(team.save(), saved);
  assert.deepEqual(said(), ["user: t", "bob: bob", "ann: a b …"]);
  assert.deepEqual([team.state.status, team.state.interrupted], ["paused", true]);

  const { stopReason } = await team.run();
  assert.deepEqual(said().slice(3), ["ann: a b c", "bob: bob"]);
  assert.match(stopReason ?? "", /current message count: 5$/, "the conditions continue counting");
});

test("save, load, save are equal for a team that waits for tools, and the loaded one can be answered", async () => {
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const look = testTool("look", () => 0);
  const options = (ann: ScriptedModel) => ({ speakers: { ann }, tools: [pay, look], maxTurns: 1 });
  const first = testTeam(options(new ScriptedModel(ask(call("c1", "pay"), call("c2", "look")))));
  await first.team.run("t");
  const saved = first.team.save();

  const ann = new ScriptedModel();
  const { team, ref, withIds } = reloaded(options(ann), saved);
  assert.deepEqual(team.save(), saved);
  assert.equal(team.state.status, "awaitingTools");

  await team.resolveTools({ restart: [{ ref: ref("c1") }] });
  assert.deepEqual(withIds(ann.lastItems.slice(1)), [
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

test("a loaded state replaces the whole state", async () => {
  const options = { speakers: names("ann", "bob"), maxTurns: 1 };
  const fresh = testTeam(options).team.save();
  const { team, said, folded } = testTeam(options);
  await team.run("t");

  team.load(fresh);

  assert.deepEqual(said(), []);
  await team.run("u");
  assert.deepEqual(said(), ["user: u", "ann: ann"]);
  assert.deepEqual(team.state, folded());
});

test("a saved state does not change with its team", async () => {
  const { team } = testTeam({ speakers: names("ann"), maxTurns: 1 });
  await team.run("t");
  const saved = team.save();
  const copy = structuredClone(saved);

  await team.run("u");

  assert.deepEqual(saved, copy);
});

test("a loaded state survives a restart", async () => {
  const options = { speakers: names("ann"), maxTurns: 1 };
  const first = testTeam(options);
  await first.team.run("t");
  const saved = first.team.save();

  const { team } = reloaded(options, saved).reopened();

  assert.deepEqual(team.save(), saved);
});
