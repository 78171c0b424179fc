import assert from "node:assert/strict";
import { test } from "node:test";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { ask, call, ScriptedModel, say, spend } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";
import { testTurn } from "../testing/test-turn.ts";
import { Assistant } from "./assistant.ts";

test("the chunks of a message, joined, are its content; they have its id, and are not in the result", async () => {
  const { team, events, types } = testTeam({
    speakers: { ann: new ScriptedModel(say("Once ", "", "upon ", "a time")) },
    maxTurns: 1,
  });

  const { messages } = await team.run("t");

  const [, message] = messages;
  const chunks = events.flatMap((event) => (event.type === "message/chunk" ? [event] : []));
  assert.equal(messages.length, 2);
  assert.equal(message?.content, "Once upon a time");
  assert.equal(chunks.map(({ delta }) => delta).join(""), message?.content);
  assert.deepEqual([...new Set(chunks.map(({ messageId }) => messageId))], [message?.id]);
  assert.equal(types().filter((type) => type === "message/started").length, 1);
});

test("an empty answer is an empty message", async () => {
  const { team, said } = testTeam({ speakers: { ann: new ScriptedModel([]) }, maxTurns: 1 });

  await team.run("t");

  assert.deepEqual(said(), ["user: t", "ann: "]);
});

test("a turn alternates between the model and its tools until the model answers; the calls of one answer run in parallel", async () => {
  const running: string[] = [];
  const both = Promise.withResolvers<void>();
  const meet = (name: string) =>
    testTool(name, async () => {
      running.push(name);
      if (running.length === 2) both.resolve();
      await both.promise;
      return `${name} met`;
    });
  const ann = new ScriptedModel(
    [...say("I look."), ...ask(call("c1", "left"), call("c2", "right"))],
    ask(call("c3", "left")),
    say("done"),
  );
  const { team, said, withIds } = testTeam({ speakers: { ann }, tools: [meet("left"), meet("right")], maxTurns: 1 });

  await team.run("t");

  assert.deepEqual(withIds(ann.lastItems), [
    { role: "user", source: "user", content: "t" },
    {
      role: "assistant",
      content: "I look.",
      calls: [
        { ref: "c1", name: "left", input: {} },
        { ref: "c2", name: "right", input: {} },
      ],
    },
    { role: "tool", ref: "c1", name: "left", output: "left met", isError: false },
    { role: "tool", ref: "c2", name: "right", output: "right met", isError: false },
    { role: "assistant", content: "", calls: [{ ref: "c3", name: "left", input: {} }] },
    { role: "tool", ref: "c3", name: "left", output: "left met", isError: false },
  ]);
  assert.deepEqual(said(), ["user: t", "ann: done"]);
  assert.deepEqual(
    ann.requests[0]?.tools.map(({ name }) => name),
    ["left", "right"],
  );
});

test("the model sees the same items within the turn as in the next turn", async () => {
  const ann = new ScriptedModel([...say("I look."), ...ask(call("c1", "look"))], say("done"), say("again"));
  const { team } = testTeam({ speakers: { ann }, tools: [testTool("look")], maxTurns: 1 });
  await team.run("t");
  const inTurn = ann.lastItems;

  await team.run();

  assert.deepEqual(ann.lastItems, [...inTurn, { role: "assistant", content: "done", calls: [] }]);
});

test("after maxToolIterations the turn ends with a summary of the last results", async () => {
  const look = testTool("look", (input) => input);
  const ann = new ScriptedModel(
    ask(call("c1", "look", "first")),
    ask(call("c2", "look", "second"), call("c3", "look", { three: 3 })),
    say("never"),
  );
  const { team } = testTeam({ speakers: { ann }, tools: [look], more: { ann: { maxToolIterations: 2 } }, maxTurns: 1 });

  const { messages } = await team.run("t");

  assert.equal(messages[1]?.type, "ToolCallSummaryMessage");
  assert.equal(messages[1]?.content, 'second\n{"three":3}');
  assert.equal(ann.requests.length, 2);
});

test("with reflectOnToolUse the model gives the final answer, without tools", async () => {
  const ann = new ScriptedModel(ask(call("c1", "look")), say("so it is"));
  const more = { ann: { maxToolIterations: 1, reflectOnToolUse: true } };
  const { team, said } = testTeam({ speakers: { ann }, tools: [testTool("look")], more, maxTurns: 1 });

  await team.run("t");

  assert.deepEqual(said(), ["user: t", "ann: so it is"]);
  assert.deepEqual(ann.requests[1]?.tools, []);
  assert.equal(conversationProblem(ann.lastItems), undefined);
});

test("calls without an id, or with an id that is taken, get a new one", async () => {
  const anonymous = { name: "look", arguments: "{}" };
  const ann = new ScriptedModel(
    ask(call("c1", "look"), call("c1", "look"), anonymous, { ...anonymous, id: "" }),
    ask(call("c1", "look")),
  );
  const { team, withIds } = testTeam({ speakers: { ann }, tools: [testTool("look")], maxTurns: 1 });

  await team.run("t");

  const refs = ann.lastItems.flatMap((item) => (item.role === "tool" ? [item.ref] : []));
  assert.equal(refs.length, 5);
  assert.equal(new Set(refs).size, 5);
  assert.equal(withIds(refs[0]), "c1");
  assert.equal(conversationProblem(ann.lastItems), undefined);
});

test("the tokens of every model step count, including steps that end in calls", async () => {
  const usage = { prompt: 10, completion: 1, total: 11 };
  const ann = new ScriptedModel([...ask(call("c1", "look")), spend(usage)], [...say("done"), spend(usage)]);
  const { team } = testTeam({ speakers: { ann }, tools: [testTool("look")], maxTurns: 1 });

  const result = await team.run("t");

  assert.deepEqual(result.usage, { prompt: 20, completion: 2, total: 22 });
  assert.deepEqual(team.state.usage, result.usage);
  assert.deepEqual(result.messages[1]?.usage, usage);
});

test("the wait before a retry and the model's thoughts are reported", async () => {
  const ann = new ScriptedModel([
    { type: "retry", attempt: 1, waitMs: 500, reason: "overloaded" },
    { type: "thought", delta: "hm, " },
    { type: "thought", delta: "yes" },
    ...say("yes"),
  ]);
  const { team, events } = testTeam({ speakers: { ann }, maxTurns: 1 });

  await team.run("t");

  const retry = events.find((event) => event.type === "model/retry");
  assert.deepEqual(retry?.type === "model/retry" && [retry.participant, retry.attempt, retry.waitMs], ["ann", 1, 500]);
  const start = events.find((event) => event.type === "reasoning/start");
  const thought = events.find((event) => event.type === "reasoning/thought");
  assert.ok(start?.type === "reasoning/start" && thought?.type === "reasoning/thought");
  assert.deepEqual([thought.message, thought.correlation_id], ["hm, yes", [start.id]]);
  const pieces = events.flatMap((event) => (event.type === "reasoning/chunk" ? [event] : []));
  assert.deepEqual(
    pieces.map(({ delta, correlation_id }) => [delta, correlation_id]),
    [
      ["hm, ", [start.id]],
      ["yes", [start.id]],
    ],
  );
  assert.ok(pieces.every((piece) => !("seq" in piece)));
});

test("instructions come from the definition; by default they name the participant and the team's other participants", async () => {
  const ann = new ScriptedModel();
  const bob = new ScriptedModel();
  const more = { ann: { instructions: "Be brief." }, bob: { description: "Knows the law." } };
  const { team } = testTeam({ speakers: { ann, bob }, more, maxTurns: 2 });

  await team.run("t");

  assert.equal(ann.requests[0]?.instructions, "Be brief.");
  assert.match(
    bob.requests[0]?.instructions ?? "",
    /^You are bob\. Knows the law\. You work in a team with ann and the user\./,
  );
});

test("asked to wind down, it starts no other model step; the answer in progress is its reply", async () => {
  for (const [rest, kind] of [
    [say("done"), "reply"],
    [ask(call("c1", "look")), "interrupted"],
  ] as const) {
    const winding = new AbortController();
    const model = new ScriptedModel([...rest], say("never"));
    const ann = new Assistant({ name: "ann", instructions: "", model: () => model, tools: [] });
    // Its first event comes while the model step is in progress, or right after it.
    const emit = (): void => winding.abort();

    const outcome = await ann.takeTurn(testTurn({ soft: winding.signal, emit }));

    assert.equal(outcome.kind, kind);
    assert.equal(outcome.kind === "reply" && outcome.reply.content, kind === "reply" && "done");
    assert.equal(model.requests.length, 1);
  }
});
