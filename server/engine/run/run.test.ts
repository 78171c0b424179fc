import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, names, testTeam } from "../testing/test-team.ts";

const saidIn = ({ messages }: { readonly messages: readonly ChatMessage[] }): string[] =>
  messages.map(({ source }) => source);

test("round robin a1..a4, at most 3 messages: run gives task, a1, a2; then a3, a4, a1; after reset a1 is first", async () => {
  const { team } = testTeam({ speakers: names("a1", "a2", "a3", "a4"), termination: { maxMessages: 3 } });

  const first = await team.run("t");
  assert.deepEqual(saidIn(first), ["user", "a1", "a2"]);
  assert.equal(first.stopReason, "Maximum number of messages 3 reached, current message count: 3");
  assert.deepEqual(first.status, { code: "success" });
  assert.equal(team.state.status, "idle");
  assert.deepEqual(saidIn(await team.run()), ["a3", "a4", "a1"]);
  assert.equal(team.state.thread.length, 6);

  team.reset();
  assert.deepEqual(team.state.thread, []);
  assert.deepEqual(saidIn(await team.run("t")), ["user", "a1", "a2"]);
});

test("maxTurns 3 gives the task and three replies; the next run starts at the next speaker with a fresh count", async () => {
  const { team } = testTeam({ speakers: names("a1", "a2", "a3", "a4"), maxTurns: 3 });

  const first = await team.run("t");
  assert.deepEqual(saidIn(first), ["user", "a1", "a2", "a3"]);
  assert.equal(first.stopReason, "Maximum number of turns 3 reached.");
  assert.equal(team.state.turn, 0);
  assert.deepEqual(saidIn(await team.run()), ["a4", "a1", "a2"]);
});

test("a second run on a running team is rejected with TeamBusy, as are reset, save and load; the first run is not affected", async () => {
  const hold = Promise.withResolvers<string>();
  const { team } = testTeam({ speakers: { ann: () => hold.promise }, maxTurns: 1 });
  const saved = team.save();
  const first = team.run("t");

  const busy = { data: { code: "TeamBusy", teamId: "team-1" } };
  await assert.rejects(team.run("u"), busy);
  assert.throws(() => team.reset(), busy);
  assert.throws(() => team.save(), busy);
  assert.throws(() => team.load(saved), busy);
  hold.resolve("fine");

  assert.deepEqual(
    (await first).messages.map(({ content }) => content),
    ["t", "fine"],
  );
});

test("a task can have several messages, and a message several parts", async () => {
  const { team } = testTeam({ speakers: names("ann"), maxTurns: 1 });
  const message = (content: string): ChatMessage => ({
    id: content,
    type: "TextMessage",
    source: "eve",
    content,
    createdAt: "2026-01-01T00:00:00.000Z",
  });

  assert.deepEqual(saidIn(await team.run([message("1"), message("2")])), ["eve", "eve", "ann"]);
  const image = [
    { type: "text", text: "see" },
    { type: "image", uri: "file:///a.png" },
  ] as const;
  const [task] = (await team.run([...image])).messages;
  assert.equal(task?.type, "MultiModalMessage");
  assert.deepEqual(task?.content, image);
});

test("an empty task is an error, and nothing changes", async () => {
  const { team, events } = testTeam({ speakers: names("ann") });

  await assert.rejects(team.run([]), /at least one message/);
  await assert.rejects(team.run(""), /at least one message/);
  assert.deepEqual(events, []);
  assert.equal(team.isRunning, false);
});

test("a participant throws: the run ends with status error and its text, and the team runs again with the same speaker", async () => {
  const faults = [new Error("out of ideas")];
  const bob = (): string => {
    const fault = faults.shift();
    if (fault) throw fault;
    return "better";
  };
  const { team, said, events } = testTeam({ speakers: { ann: () => "hello", bob }, maxTurns: 2 });

  const failed = await team.run("t");
  assert.deepEqual(failed.status, { code: "error", reason: "InternalError", message: "out of ideas" });
  assert.equal(failed.stopReason, null);
  const failure = events.find(({ type }) => type === "error");
  assert.deepEqual(failure?.type === "error" && [failure.message, failure.data], [
    "out of ideas",
    { code: "InternalError" },
  ]);
  assert.equal(team.state.status, "idle");

  await team.run();
  assert.deepEqual(said(), ["user: t", "ann: hello", "bob: better"]);
});

test("a model fails in mid-answer: its text so far becomes a partial, and the same speaker continues", async () => {
  const model = new ScriptedModel([...say("Half "), { type: "throw", error: new Error("connection cut") }], say("all"));
  const { team, said } = testTeam({ speakers: { ann: model, bob: () => "bob" }, maxTurns: 1 });

  const failed = await team.run("t");
  assert.equal(failed.status.code, "error");
  assert.equal(failed.status.message, "connection cut");
  assert.deepEqual(said(), ["user: t", "ann: Half …"]);

  await team.run();
  assert.deepEqual(said(), ["user: t", "ann: Half …", "ann: all"]);
  assert.deepEqual(
    model.lastItems.map((item) => "content" in item && item.content),
    ["t", "Half "],
  );
});

test("a termination condition throws: the run ends with status error, and the team runs again", async (t) => {
  const { team, said } = testTeam({
    speakers: names("ann", "bob"),
    termination: { timeout: { seconds: 60 } },
    maxTurns: 1,
  });
  const now = performance.now.bind(performance);
  let throws = true;
  // The condition asks for the time after the task; the run itself has done so before.
  t.mock.method(performance, "now", () => {
    if (!throws || team.state.threadLength === 0) return now();
    throws = false;
    throw new Error("the clock is broken");
  });

  const failed = await team.run("t");
  assert.deepEqual(failed.status, { code: "error", reason: "InternalError", message: "the clock is broken" });

  assert.equal((await team.run()).status.code, "success");
  assert.deepEqual(said(), ["user: t", "ann: ann"]);
});

test("a stop requested in mid-turn ends the run at the end of that turn", async () => {
  const hold = Promise.withResolvers<string>();
  const { team, next } = testTeam({ speakers: { ann: () => hold.promise, bob: () => "bob" } });
  const speaking = next("reasoning/start");
  const run = team.run("t");

  await speaking;
  team.stop();
  hold.resolve("whole");

  const result = await run;
  assert.deepEqual(saidIn(result), ["user", "ann"]);
  assert.equal(result.stopReason, "External termination requested");
  assert.deepEqual(result.status, { code: "success" });
});

test("a stop of a team at rest does nothing", async () => {
  const { team, events } = testTeam({ speakers: names("ann"), maxTurns: 1 });

  team.stop();

  assert.deepEqual(events, []);
  assert.deepEqual(saidIn(await team.run("t")), ["user", "ann"]);
});

test("a condition fired by the task ends the run before anyone speaks", async () => {
  const { team } = testTeam({ speakers: names("ann"), termination: { textMention: { text: "STOP" } } });

  const result = await team.run("STOP");

  assert.deepEqual(saidIn(result), ["user"]);
  assert.equal(result.stopReason, "Text 'STOP' mentioned");
});

test("conditions keep counting across a pause, and start again at zero after a normal end", async () => {
  const { team } = testTeam({ speakers: names("ann", "bob"), termination: { maxMessages: 5 } });

  await team.sendUserMessage("bob", ["one"], afterReply("pause"));
  const { stopReason, messages } = await team.run("three");
  assert.equal(stopReason, "Maximum number of messages 5 reached, current message count: 5");
  assert.equal(messages.length, 3);
  assert.equal((await team.run()).messages.length, 5);
});

test("a run reports its own usage, the team the usage of all runs", async () => {
  const usage = { prompt: 10, completion: 2, total: 12 };
  const ann = new ScriptedModel([...say("a"), { type: "usage", usage }], [...say("b"), { type: "usage", usage }]);
  const { team } = testTeam({ speakers: { ann }, maxTurns: 1 });

  assert.deepEqual((await team.run("t")).usage, usage);
  assert.deepEqual((await team.run()).usage, usage);
  assert.deepEqual(team.state.usage, { prompt: 20, completion: 4, total: 24 });
});
