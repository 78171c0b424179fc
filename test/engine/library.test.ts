import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTeam, FunctionCondition, FunctionParticipant, StopReason } from "../../server/engine/index.ts";

test("two functions form a team, which is interrupted in mid-sentence and continues", async () => {
  // start of the example
  const ann = new FunctionParticipant("ann", async function* () {
    for (const word of ["Once ", "there ", "was ", "a cat."]) yield word;
  });
  const bob = new FunctionParticipant("bob", (thread) => `And then? I have heard ${thread.length} messages.`);
  const team = createTeam({
    definition: { name: "Story", kind: "roundRobin", participants: [{ name: "ann" }, { name: "bob" }], maxTurns: 2 },
    parts: { participant: ({ name }) => [ann, bob].find((one) => one.name === name) },
  });

  const unsubscribe = team.onEvent((event) => {
    if (event.type === "message/chunk" && event.delta === "there ") void team.interrupt({ reason: "The phone rings." });
  });
  const interrupted = await team.run("Tell a story."); // ends with USER_INTERRUPT; "Once there " is kept as a partial
  unsubscribe();
  const completed = await team.run(); // continues: ann is asked again, then bob
  // end of the example

  assert.equal(interrupted.stopReason, StopReason.userInterrupt);
  assert.deepEqual(
    team.messages.map(({ source, content, partial }) => [source, content, partial ?? false]),
    [
      ["user", "Tell a story.", false],
      ["ann", "Once there ", true],
      ["ann", "Once there was a cat.", false],
      ["bob", "And then? I have heard 3 messages.", false],
    ],
  );
  assert.equal(completed.status.code, "success");
});

test("docs/ENGINE.md shows this example", () => {
  const [, example] =
    /start of the example\n([\s\S]*?)\n *\/\/ end of/.exec(readFileSync(import.meta.filename, "utf8")) ?? [];
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "ENGINE.md"), "utf8");
  assert.ok(example !== undefined && page.includes(example.replaceAll(/^ {2}/gm, "")));
});

test("a function as condition ends the run, and a selector function chooses the speakers", async () => {
  const say = (name: string) => new FunctionParticipant(name, () => `I am ${name}.`);
  const members = ["ann", "bob", "cy"].map(say);
  const team = createTeam({
    definition: { name: "Chosen", kind: "selector", participants: members.map(({ name }) => ({ name })) },
    parts: { participant: ({ name }) => members.find((one) => one.name === name) },
    selector: { choose: (messages) => (messages.at(-1)?.source === "cy" ? "ann" : "cy") },
    termination: new FunctionCondition(
      (messages) => messages.some(({ source }) => source === "ann") && "ann has spoken",
    ),
  });

  const { messages, stopReason } = await team.run("Go.");

  assert.deepEqual(
    messages.map(({ source }) => source),
    ["user", "cy", "ann"],
  );
  assert.equal(stopReason, "ann has spoken");
});

test("a saved team continues in another team of the same definition", async () => {
  const open = () =>
    createTeam({
      definition: { name: "Saved", kind: "roundRobin", participants: [{ name: "ann" }, { name: "bob" }], maxTurns: 1 },
      parts: { participant: ({ name }) => new FunctionParticipant(name, (thread) => `${name} after ${thread.length}`) },
    });
  const first = open();
  await first.run("Go.");
  const second = open();
  second.load(JSON.parse(JSON.stringify(first.save())));
  await second.run();

  assert.deepEqual(
    second.messages.map(({ content }) => content),
    ["Go.", "ann after 1", "bob after 2"],
  );
});

test("a team without a required part says so", async () => {
  const definition = { name: "Bare", kind: "roundRobin" as const, participants: [{ name: "ann" }] };
  assert.throws(() => createTeam({ definition }), /ann has no model/);
  const models = { default: { provider: "practice" as const } };
  assert.throws(
    () => createTeam({ definition: { ...definition, models } }),
    /no model for the provider "practice"; pass parts\.model/,
  );
  const tools = [{ name: "ann", tools: ["look"] }];
  assert.throws(() => createTeam({ definition: { ...definition, participants: tools } }), /unknown tool "look"/);
});
