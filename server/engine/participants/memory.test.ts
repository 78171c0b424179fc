import assert from "node:assert/strict";
import { test } from "node:test";
import { interruptAt } from "../testing/interrupt-at.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { testTurn } from "../testing/test-turn.ts";
import { Assistant } from "./assistant.ts";
import type { Memory } from "./memory.ts";

const instructionsOf = (model: ScriptedModel): string[] => model.requests.map(({ instructions }) => instructions);

test("its notes and its files are added to the instructions, and the files are read again at each turn", async () => {
  const ann = new ScriptedModel();
  const more = { ann: { instructions: "Be brief.", memory: { notes: ["The user is Kim."], files: ["rules.md"] } } };
  let version = 0;
  const readMemory = async (file: string): Promise<string> => `${file}, version ${++version}`;
  const { team } = testTeam({ speakers: { ann }, more, readMemory, maxTurns: 2 });

  await team.run("t");

  const known = (count: number): string =>
    `Be brief.\n\nRelevant memory:\n\nThe user is Kim.\n\nThe file rules.md:\nrules.md, version ${count}`;
  assert.deepEqual(instructionsOf(ann), [known(1), known(2)]);
});

test("a file that cannot be read is reported to the model, and the participant still speaks", async () => {
  const ann = new ScriptedModel();
  const more = { ann: { memory: { files: ["gone.md"] } } };
  const readMemory = (): Promise<string> => Promise.reject(new Error("There is no such file."));
  const missing = testTeam({ speakers: { ann }, more, readMemory, maxTurns: 1 });
  await missing.team.run("t");
  assert.match(instructionsOf(ann)[0] ?? "", /The file gone\.md could not be read: There is no such file\.$/);

  const nowhere = testTeam({ speakers: { ann }, more, maxTurns: 1 });
  await nowhere.team.run("t");

  assert.match(instructionsOf(ann)[1] ?? "", /The file gone\.md cannot be read here\.$/);
  assert.deepEqual(nowhere.said(), ["user: t", "ann: done"]);
});

test("a note saved with `remember` stays with the team and is shown from then on, whatever the context drops", async () => {
  const ann = new ScriptedModel(
    ask(call("c1", "remember", { text: " Kim likes tea. " })),
    say("1"),
    say("2"),
    say("3"),
  );
  const more = { ann: { memory: { keep: true }, context: { kind: "buffered" as const, size: 1 } } };
  const { team, events, reopened } = testTeam({ speakers: { ann, bob: () => "bob" }, more, maxTurns: 4 });

  await team.run("t");

  assert.deepEqual(team.state.memories, { ann: ["Kim likes tea."] });
  const added = events.find((event) => event.type === "memory/added");
  assert.deepEqual(added?.type === "memory/added" && [added.participant, added.text], ["ann", "Kim likes tea."]);
  assert.match(instructionsOf(ann).at(-1) ?? "", /Your notes:\n- Kim likes tea\.$/);
  assert.ok(!instructionsOf(ann)[0]?.includes("Kim"));
  assert.ok(!JSON.stringify(ann.lastItems).includes("Kim"));

  const there = reopened();
  await there.team.run("Again.");
  assert.match(instructionsOf(ann).at(-1) ?? "", /- Kim likes tea\.$/);
});

test("an empty note is rejected, and without `keep` there is no such tool", async () => {
  const ann = new ScriptedModel(ask(call("c1", "remember", { text: " " }), call("c2", "remember", "tea")), say("done"));
  const bob = new ScriptedModel();
  const { team, withIds } = testTeam({
    speakers: { ann, bob },
    more: { ann: { memory: { keep: true } } },
    maxTurns: 2,
  });

  await team.run("t");

  assert.equal(team.state.memories, undefined);
  const results = ann.lastItems.flatMap((item) => (item.role === "tool" ? [[item.ref, item.isError]] : []));
  assert.deepEqual(withIds(results), [
    ["c1", true],
    ["c2", true],
  ]);
  assert.deepEqual(bob.requests[0]?.tools, []);
});

test("a memory that is code is asked in each turn, and its texts are shown", async () => {
  const model = new ScriptedModel();
  const memory: Memory = { recall: async ({ items }) => [`${items.length} things were said`] };
  const ann = new Assistant({ name: "ann", instructions: "", model: () => model, tools: [], memory });

  await ann.takeTurn(testTurn({ items: [{ role: "user", source: "user", content: "t" }] }));

  assert.deepEqual(instructionsOf(model), ["Relevant memory:\n\n1 things were said"]);
});

test("an interrupt does not wait for a memory that hangs", async () => {
  const aborter = new AbortController();
  const hanging: Memory = { recall: () => new Promise(() => aborter.abort()) };
  const model = new ScriptedModel();
  const ann = new Assistant({ name: "ann", instructions: "", model: () => model, tools: [], memory: hanging });

  const outcome = await ann.takeTurn(testTurn({ signal: aborter.signal }));

  assert.deepEqual(outcome, { kind: "interrupted" });
  assert.equal(model.requests.length, 0);
});

test("a note saved before an interrupt is kept, and one that was not saved is reported as such", async () => {
  for (const [event, kept] of [
    ["memory/added", true],
    ["tool/requested", false],
  ] as const) {
    const ann = new ScriptedModel(ask(call("c1", "remember", { text: "tea" })), say("done"));
    const { team, said } = testTeam({ speakers: { ann }, more: { ann: { memory: { keep: true } } }, maxTurns: 1 });
    const interrupting = interruptAt(team, event);
    await team.run("t");
    await interrupting;
    await team.run();

    assert.equal(team.state.memories !== undefined, kept, event);
    assert.deepEqual(said(), ["user: t", "ann: done"]);
  }
});
