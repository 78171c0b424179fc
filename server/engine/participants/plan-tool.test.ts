import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const instructionsOf = (model: ScriptedModel): string[] => model.requests.map(({ instructions }) => instructions);
const plan = [
  { text: "Read the code", status: "done" as const },
  { text: "Fix it", status: "inProgress" as const },
  { text: "Test it", status: "pending" as const },
];

test("a plan written with `todo` is in the team's state, and its participant is shown it in its next turn", async () => {
  const ann = new ScriptedModel(ask(call("c1", "todo", { items: plan })), say("1"), say("2"));
  const { team, events, reopened } = testTeam({
    speakers: { ann, bob: () => "bob" },
    more: { ann: { instructions: "Be brief.", tools: ["todo"] } },
    maxTurns: 3,
  });

  await team.run("t");

  assert.deepEqual(team.state.plans, { ann: { items: plan } });
  assert.partialDeepStrictEqual(
    events.find(({ type }) => type === "tool/executed"),
    { name: "todo", output: "Saved the plan: 1 of 3 done.", isError: false },
  );
  const shown = "Your plan (x is done, ~ in progress).\n- [x] Read the code\n- [~] Fix it\n- [ ] Test it";
  assert.deepEqual(instructionsOf(ann), ["Be brief.", "Be brief.", `Be brief.\n\n${shown}`]);
  assert.deepEqual(reopened().team.state.plans, team.state.plans);
  assert.deepEqual(team.save().plans, team.state.plans);
});

test("the user's edit is what the participant is shown, and that it was edited, until it writes its plan again", async () => {
  const ann = new ScriptedModel(
    ask(call("c1", "todo", { items: plan })),
    say("1"),
    ask(call("c2", "todo", { items: plan.slice(0, 1) })),
    say("2"),
    say("3"),
  );
  const { team } = testTeam({ speakers: { ann }, more: { ann: { tools: ["todo"] } }, maxTurns: 1 });
  await team.run("t");
  const items = [{ text: "Ask Kim", status: "pending" as const }];
  team.editPlan("ann", { items, was: plan });
  assert.deepEqual(team.state.plans, { ann: { items, editedBy: "user" } });
  assert.throws(() => team.editPlan("ann", { items: [], was: plan }), /ann has changed its plan meanwhile/);

  await team.run("go on");
  await team.run("and on");

  const [, , edited = "", , written = ""] = instructionsOf(ann);
  assert.match(edited, /The user has edited it since you wrote it: follow it as it is now\.\n- \[ \] Ask Kim$/);
  assert.match(written, /in progress\)\.\n- \[x\] Read the code$/);
});

test("a plan without steps is none, a reset removes it, and a plan that is not one is refused", async () => {
  const ann = new ScriptedModel(
    ask(call("c1", "todo", { items: [{ text: "", status: "pending" }] }), call("c2", "todo", { items: [] })),
    ask(call("c3", "todo", { items: plan })),
  );
  const { team, events } = testTeam({ speakers: { ann }, more: { ann: { tools: ["todo"] } }, maxTurns: 1 });
  await team.run("t");
  const outputs = events.flatMap((event) => (event.type === "tool/executed" ? [String(event.output)] : []));
  assert.match(outputs[0] ?? "", /^The plan was not saved: items\.0\.text: /);
  assert.equal(outputs[1], "Saved the plan: 0 of 0 done.");
  assert.deepEqual(team.state.plans, { ann: { items: plan } });
  team.editPlan("ann", { items: [] });
  assert.equal(team.state.plans, undefined);
  team.editPlan("ann", { items: plan });
  team.reset();
  assert.equal(team.state.plans, undefined);
});

test("what the user edits during a turn is not overwritten: the model is told of it, and writes its plan again", async () => {
  const mine = [...plan, { text: "Tell Kim", status: "pending" as const }];
  const edits: (() => void)[] = [];
  const edit = testTool("edit", () => edits.shift()?.());
  const ann = new ScriptedModel(
    ask(call("c1", "todo", { items: plan })),
    ask(call("c2", "edit")),
    ask(call("c3", "todo", { items: plan.slice(1) })),
    ask(call("c4", "todo", { items: mine.slice(1) })),
    ask(call("c5", "edit")),
    ask(call("c6", "todo", { items: mine })),
    say("done"),
  );
  const { team, events } = testTeam({
    speakers: { ann },
    tools: [edit],
    more: { ann: { tools: ["todo", "edit"] } },
    maxTurns: 1,
  });
  edits.push(
    () => team.editPlan("ann", { items: mine, was: plan }),
    () => team.editPlan("ann", { items: [] }),
  );

  await team.run("t");

  const written = events.flatMap((event) =>
    event.type === "tool/executed" && event.name === "todo" ? [String(event.output)] : [],
  );
  assert.deepEqual(written, [
    "Saved the plan: 1 of 3 done.",
    "The plan was not saved: the user has edited it meanwhile. It is now:\n- [x] Read the code\n- [~] Fix it\n" +
      "- [ ] Test it\n- [ ] Tell Kim\nFollow it as it is now, and write it again with the user's changes.",
    "Saved the plan: 0 of 3 done.",
    "The plan was not saved: the user has edited it meanwhile. It has no steps now.\n" +
      "Follow it as it is now, and write it again with the user's changes.",
  ]);
  assert.equal(team.state.plans, undefined);
});
