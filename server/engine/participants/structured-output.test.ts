import assert from "node:assert/strict";
import { test } from "node:test";
import { interruptedEverywhere } from "../testing/interrupt-everywhere.ts";
import { ask, call, ScriptedModel, say, spend } from "../testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const schema = {
  type: "object",
  properties: { age: { type: "integer" } },
  required: ["age"],
  additionalProperties: false,
};
const more = { ann: { output: { name: "person", schema } } };

test("the model is asked for JSON that matches the schema, and its answer is the message's content and is not streamed", async () => {
  const ann = new ScriptedModel([{ type: "thought", delta: "three, I think" }, ...say('{"age"', ": 3}")]);
  const { team, types, events } = testTeam({ speakers: { ann }, more, maxTurns: 1 });

  const { messages } = await team.run("t");

  assert.deepEqual(ann.requests[0]?.output, { name: "person", schema });
  assert.equal(messages[1]?.type, "StructuredMessage");
  assert.deepEqual(messages[1]?.content, { age: 3 });
  assert.ok(!types().some((type) => type === "message/started" || type === "message/chunk"));
  const thought = events.find((event) => event.type === "reasoning/thought");
  assert.equal(thought?.type === "reasoning/thought" && thought.message, "three, I think");
});

test("JSON in a code fence is accepted, also with text around it", async () => {
  const ann = new ScriptedModel(say('Here you are:\n```json\n{ "age": 3 }\n```\nGood luck.'));
  const { team } = testTeam({ speakers: { ann }, more, maxTurns: 1 });

  const { messages } = await team.run("t");

  assert.deepEqual(messages[1]?.content, { age: 3 });
});

test("an answer that is not an object is stored in `value`, and its model sees it as it gave it", async () => {
  const ann = new ScriptedModel(say("[1, 2]"), say("[]"));
  const list = { ann: { output: { schema: { type: "array" } } } };
  const { team } = testTeam({ speakers: { ann }, more: list, maxTurns: 2 });

  const { messages } = await team.run("t");

  assert.deepEqual([messages[1]?.content, messages[2]?.content], [{ value: [1, 2] }, { value: [] }]);
  assert.deepEqual(ann.lastItems.at(-1), { role: "assistant", content: "[1,2]", calls: [] });
  assert.equal(ann.requests[0]?.output?.name, "answer");
});

test("an invalid answer is requested again with the problem, and each attempt counts as usage", async () => {
  const usage = { prompt: 10, completion: 1, total: 11, cost: 0.5 };
  const ann = new ScriptedModel(
    [...say("three"), spend(usage)],
    [...say('{"age": "three"}'), spend(usage)],
    [...say('{"age": 3}'), spend(usage)],
  );
  const { team, events } = testTeam({ speakers: { ann }, more, maxTurns: 1 });

  const result = await team.run("t");

  assert.deepEqual(ann.lastItems.slice(1), [
    { role: "assistant", content: "three", calls: [] },
    {
      role: "user",
      source: "system",
      content:
        "Your response does not match the required JSON Schema: it is not valid JSON. Respond with the complete JSON and nothing else.",
    },
    { role: "assistant", content: '{"age": "three"}', calls: [] },
    {
      role: "user",
      source: "system",
      content:
        "Your response does not match the required JSON Schema: age: is of type string and has to be integer. " +
        "Respond with the complete JSON and nothing else.",
    },
  ]);
  const asked = events.flatMap((event) =>
    event.type === "model/asked" ? [[event.by, event.purpose, event.usage]] : [],
  );
  assert.deepEqual(asked, [
    ["ann", "output", usage],
    ["ann", "output", usage],
  ]);
  assert.deepEqual(result.usage, { prompt: 30, completion: 3, total: 33, cost: 1.5 });
  assert.deepEqual(team.state.usage, result.usage);
  assert.deepEqual(
    result.messages.map(({ content }) => content),
    ["t", { age: 3 }],
  );
});

test("after three invalid answers the run fails with a clear error, and the team can run again", async () => {
  const ann = new ScriptedModel(say("a"), say("b"), say("c"), say('{"age": 3}'));
  const { team, events } = testTeam({ speakers: { ann }, more, maxTurns: 1 });

  const { status } = await team.run("t");

  assert.equal(ann.requests.length, 3);
  assert.equal(status.code, "error");
  const error = events.find((event) => event.type === "error");
  assert.ok(error?.type === "error");
  assert.match(
    error.message,
    /^ann returned 3 answers that do not match its `output\.schema`\. .* not valid JSON\. Simplify/,
  );
  assert.deepEqual([error.data["code"], error.data["retryable"]], ["ModelError", false]);
  assert.equal((await team.run()).status.code, "success");
});

test("with tools the schema applies only to the final answer, which replaces a summary", async () => {
  const ann = new ScriptedModel([...say("I look."), ...ask(call("c1", "look"))], say("hm"), say('{"age": 3}'));
  const one = { ann: { ...more.ann, maxToolIterations: 1 } };
  const { team } = testTeam({ speakers: { ann }, tools: [testTool("look")], more: one, maxTurns: 1 });

  const { messages } = await team.run("t");

  assert.deepEqual(
    ann.requests.map(({ tools, output }) => [tools.length, output?.name]),
    [
      [1, "person"],
      [0, "person"],
      [0, "person"],
    ],
  );
  assert.deepEqual(messages[1]?.content, { age: 3 });
});

test("an unusable schema fails the run with an error that says so", async () => {
  const ann = new ScriptedModel(say("1"));
  const broken = { ann: { output: { schema: { $ref: "#/$defs/none" } } } };
  const { team } = testTeam({ speakers: { ann }, more: broken, maxTurns: 1 });

  const { status } = await team.run("t");

  assert.match(status.message ?? "", /The JSON Schema cannot be used/);
});

test("wherever it is interrupted, the answer appears once and complete", async () => {
  const make = (): TestTeam => {
    const look = ask(call("c1", "look"));
    const ann = new ScriptedModel(look, say("no"), say('{"age"', ":3}"), say('{"age"', ":3}"), say('{"age":3}'));
    return testTeam({ speakers: { ann }, tools: [testTool("look")], more, maxTurns: 1, graceMs: 1 });
  };

  for await (const { fixture, where, result, resultsOf } of interruptedEverywhere(make)) {
    assert.equal(result.status.code, "success", where);
    assert.deepEqual(fixture.team.state, fixture.folded(), where);
    for (const [ref, results] of Object.entries(resultsOf)) assert.equal(results, 1, `${where}: the results of ${ref}`);
    const { thread } = fixture.team.state;
    assert.deepEqual(
      thread.map(({ source, type, partial }) => [source, type, partial]),
      [
        ["user", "TextMessage", undefined],
        ["ann", "StructuredMessage", undefined],
      ],
      where,
    );
    assert.deepEqual(thread[1]?.content, { age: 3 }, where);
  }
});
