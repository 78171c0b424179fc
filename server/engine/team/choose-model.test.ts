import assert from "node:assert/strict";
import { test } from "node:test";
import { createTeam } from "../create-team.ts";
import { FunctionParticipant } from "../participants/function-participant.ts";
import { rejectionOf } from "../testing/rejection.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const other = { provider: "openai", model: "other" } as const;

/** Models by the names that definitions give them, each with how often it was asked. */
function models(...names: readonly string[]) {
  const made = Object.fromEntries(names.map((name) => [name, new ScriptedModel(...names.map(() => say(name)))]));
  const asked = () => Object.fromEntries(names.map((name) => [name, made[name]?.requests.length]));
  return { made, asked };
}

/** A team of ann and bob, in whose definition `spare` is a further model. */
function pair() {
  const { made, asked } = models("ann", "bob", "other", "spare");
  const { ann, bob } = made as Record<"ann" | "bob", ScriptedModel>;
  const fixture = testTeam({
    speakers: made,
    participants: [
      { name: "ann", model: "ann" },
      { name: "bob", model: "bob" },
    ],
    maxTurns: 2,
  });
  return { ...fixture, asked, ann, bob };
}

test("a participant's model can be chosen, by definition or by a key, and is used from the next turn on", async () => {
  const fixture = pair();
  await fixture.team.run("t");
  assert.deepEqual(fixture.asked(), { ann: 1, bob: 1, other: 0, spare: 0 });

  fixture.team.setModel("ann", other);
  fixture.team.setModel("bob", "spare");
  await fixture.team.run("t");
  assert.deepEqual(fixture.asked(), { ann: 1, bob: 1, other: 1, spare: 1 });
  assert.deepEqual(
    fixture.team.state.participants.map(({ definedModel, chosenModel }) => [definedModel?.name, chosenModel]),
    [
      ["ann", other],
      ["bob", "spare"],
    ],
  );

  fixture.team.setModel("ann", null);
  await fixture.team.run("t");
  assert.deepEqual(fixture.asked(), { ann: 2, bob: 1, other: 1, spare: 2 });
  assert.deepEqual(fixture.folded(), fixture.team.state);
});

test("a choice for the whole team replaces those of participants, whose later choices come first", async () => {
  const fixture = pair();
  fixture.team.setModel("ann", "spare");
  fixture.team.setModel(undefined, other);
  await fixture.team.run("t");
  assert.deepEqual(fixture.asked(), { ann: 0, bob: 0, other: 2, spare: 0 });

  fixture.team.setModel("bob", "spare");
  await fixture.team.run("t");
  assert.deepEqual(fixture.asked(), { ann: 0, bob: 0, other: 3, spare: 1 });

  fixture.team.setModel(undefined, null);
  await fixture.team.run("t");
  assert.deepEqual(fixture.asked(), { ann: 1, bob: 1, other: 3, spare: 1 });
});

test("a chosen model survives a restart, a reset and another definition, and is no part of a saved state", async () => {
  const fixture = pair();
  const saved = fixture.team.save();
  fixture.team.setModel("ann", other);
  fixture.team.reset();
  fixture.team.load(saved);
  const chosen = ({ team }: TestTeam) => team.state.participants.map(({ chosenModel }) => chosenModel);
  assert.deepEqual(chosen(fixture), [other, undefined]);
  assert.deepEqual(fixture.team.save(), saved);

  const reopened = fixture.reopened({ maxTurns: 1 });
  assert.deepEqual(chosen(reopened), [other, undefined]);
  await reopened.team.run("t");
  assert.equal(fixture.asked()["other"], 1);
});

test("a chosen key that the definition has no more is as if nothing was chosen", async () => {
  const fixture = pair();
  fixture.team.setModel("ann", "spare");
  const { speakers } = { speakers: models("ann", "bob").made };
  const reopened = fixture.reopened({ speakers });
  await reopened.team.run("t");
  assert.deepEqual(reopened.said(), ["user: t", "ann: ann", "bob: bob"]);
});

test("it is refused while a turn of the participant runs, or for the whole team a run, and taken while paused", async () => {
  const never = new Promise<never>(() => {});
  const ann = new ScriptedModel([...say("half "), { type: "wait", until: never }], say("whole"));
  const second = new ScriptedModel(say("other"));
  const bob = new ScriptedModel();
  const { team, next, said, folded } = testTeam({
    speakers: { ann, bob, other: second },
    participants: [
      { name: "ann", model: "ann" },
      { name: "bob", model: "bob" },
    ],
    maxTurns: 1,
  });
  const speaks = next("message/chunk");
  const run = team.run("t");
  await speaks;
  for (const to of ["ann", undefined])
    assert.throws(() => team.setModel(to, other), { name: "GavelError", data: { code: "TeamBusy", teamId: team.id } });
  team.setModel("bob", other);

  await team.interrupt();
  await run;
  team.setModel("ann", other);
  await team.run();

  assert.equal(ann.requests.length, 1);
  assert.equal(second.requests.length, 1);
  assert.deepEqual(said(), ["user: t", "ann: half …", "ann: other"]);
  assert.deepEqual(folded(), team.state);
});

test("a turn that waits for the user goes on with the model that was chosen meanwhile", async () => {
  const ann = new ScriptedModel(ask(call("c1", "look")), say("own"));
  const second = new ScriptedModel(say("other"));
  const { team, ref } = testTeam({
    speakers: { ann, other: second },
    participants: [{ name: "ann", model: "ann", tools: ["look"] }],
    tools: [testTool("look", undefined, { interrupt: true })],
    maxTurns: 1,
  });
  const [run] = await Promise.all([team.run("t")]);
  assert.equal(run.stopReason, "TOOL_INTERRUPT");

  team.setModel(undefined, other);
  await team.resolveTools({ respond: [{ ref: ref("c1"), output: "seen" }] });

  assert.deepEqual([ann.requests.length, second.requests.length], [1, 1]);
});

test("the manager uses the model that was chosen for the whole team", async () => {
  const { made, asked } = models("ann", "bob", "boss");
  const second = new ScriptedModel(say("bob"), say("chosen"));
  const { team, said } = testTeam({
    kind: "selector",
    speakers: { ...made, other: second },
    participants: [
      { name: "ann", model: "ann" },
      { name: "bob", model: "bob" },
    ],
    selector: { model: "boss" },
    maxTurns: 1,
  });
  team.setModel(undefined, other);
  await team.run("t");
  assert.deepEqual(asked(), { ann: 0, bob: 0, boss: 0 });
  assert.deepEqual(said(), ["user: t", "bob: chosen"]);
});

test("a nested team's participant has its own choice, and the choices for the teams around it hold in it", async () => {
  const { made, asked } = models("ann", "eve", "other", "spare");
  const { team, folded } = testTeam({
    speakers: made,
    participants: [
      { name: "ann", model: "ann" },
      {
        name: "lab",
        kind: "team",
        team: {
          name: "Lab",
          kind: "roundRobin",
          maxTurns: 1,
          models: { eve: { provider: "openai", model: "eve" } },
          participants: [{ name: "eve", model: "eve" }],
        },
      },
    ],
    maxTurns: 2,
  });
  await team.run("t");
  assert.deepEqual(asked(), { ann: 1, eve: 1, other: 0, spare: 0 });
  team.setModel("lab/eve", other);
  await team.run("t");
  assert.deepEqual(asked(), { ann: 2, eve: 1, other: 1, spare: 0 });
  // A key of the outer team, for everyone in the nested one.
  team.setModel("lab", "spare");
  await team.run("t");
  assert.deepEqual(asked(), { ann: 3, eve: 1, other: 1, spare: 1 });
  team.setModel(undefined, other);
  team.setModel("lab", "spare");
  team.setModel("lab", null);
  await team.run("t");
  assert.deepEqual(asked(), { ann: 3, eve: 1, other: 3, spare: 1 });
  assert.deepEqual(folded(), team.state);
});

test("unknown participants, users and unknown keys are refused, and nothing changes", () => {
  const { team, events } = testTeam({
    speakers: { ann: new ScriptedModel() },
    participants: [
      { name: "ann", model: "ann" },
      { name: "you", kind: "user" },
    ],
  });
  const refused = (to: string | undefined, model: string) => rejectionOf(async () => team.setModel(to, model));
  return Promise.all([
    refused("zoe", "ann").then(({ data }) => assert.equal(data.code, "UnknownParticipant")),
    refused("you", "ann").then(({ data }) => assert.equal(data.code, "InvalidParams")),
    refused(undefined, "nope").then(({ message }) =>
      assert.match(message, /no model "nope" in models; the team has ann/),
    ),
  ]).then(() => assert.deepEqual(events, []));
});

test("a context without a size follows the window of the model that was chosen", async () => {
  const long = "word ".repeat(2_000);
  const ann = new ScriptedModel(say("own"), say("own"));
  const small = new ScriptedModel(say("small"));
  const { team } = testTeam({
    speakers: { ann, small },
    models: { small: { provider: "openai", model: "small", contextWindow: 1_000 } },
    participants: [{ name: "ann", model: "ann", context: { kind: "tokenLimited" } }],
    maxTurns: 1,
  });
  await team.run(long);
  await team.run(long);
  assert.equal(ann.lastItems.length, 3);
  team.setModel("ann", "small");
  await team.run("short");
  assert.ok(small.lastItems.length < 4, `${small.lastItems.length}`);
  assert.ok((team.inspect().contexts[0]?.dropped ?? 0) > 0);
});

test("a participant on a worker has the model of the worker's file, and no other", async () => {
  const team = createTeam({
    definition: { name: "T", kind: "roundRobin", participants: [{ name: "ann", on: { worker: "gpu" } }] },
    parts: { participant: ({ name }) => new FunctionParticipant(name, () => "Hello.") },
  });
  const { message } = await rejectionOf(async () => team.setModel("ann", other));
  assert.match(message, /ann runs on the worker gpu, whose file says its model/);
  assert.equal(team.state.participants[0]?.worker, "gpu");
});
