import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import type { ContextItem } from "../model.ts";
import { ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, names, type TestTeam, testTeam } from "../testing/test-team.ts";

const waiting = { type: "wait" as const, until: new Promise<void>(() => {}) };

/** The team with a nested team, in which ann's model says what is given, and eve, who says her name. */
function withGroup(ann: ScriptedModel, more: Partial<ParticipantDefinition> = {}, voice?: ScriptedModel): TestTeam {
  const team = {
    name: "Group",
    kind: "roundRobin" as const,
    participants: [{ name: "ann", model: "ann" }],
    maxTurns: 1,
  };
  return testTeam({
    speakers: { ...names("eve"), ann, ...(voice === undefined ? {} : { voice }) },
    participants: [{ name: "group", kind: "team", team, ...more }, { name: "eve" }],
    maxTurns: 2,
  });
}

/** Interrupts the team in its second chunk, and resolves when the run has ended. */
async function cutAfterTwoChunks({ team, next }: TestTeam, start: () => Promise<unknown>): Promise<void> {
  const interrupted = next("message/chunk", 2).then(() => team.interrupt());
  await start();
  await interrupted;
}

test("the answer of a nested team to a directed message is without the half of the one before", async () => {
  const fixture = withGroup(new ScriptedModel([...say("old ", "half "), waiting], say("The answer.")));
  const { team, said } = fixture;
  await cutAfterTwoChunks(fixture, () => team.sendUserMessage("group", ["First?"], afterReply("pause")));
  await team.sendUserMessage("group", ["Second?"], afterReply("pause"));
  assert.deepEqual(said(), ["user: First?", "user: Second?", "group: The answer."]);
});

test("the same directed message, taken up again, is answered with both halves", async () => {
  const fixture = withGroup(new ScriptedModel([...say("first ", "half, "), waiting], say("second half.")));
  const { team, said } = fixture;
  await cutAfterTwoChunks(fixture, () => team.sendUserMessage("group", ["First?"], afterReply("pause")));
  await team.run();
  assert.deepEqual(said(), ["user: First?", "group: first half, second half."]);
});

test("a directed message between the halves of a nested team's turn takes neither", async () => {
  const model = new ScriptedModel([...say("first ", "half, "), waiting], say("The answer."), say("second half."));
  const fixture = withGroup(model);
  const { team, said } = fixture;
  await cutAfterTwoChunks(fixture, () => team.run("Task"));
  await team.sendUserMessage("group", ["And?"], afterReply("pause"));
  await team.run();
  assert.deepEqual(said(), [
    "user: Task",
    "user: And?",
    "group: The answer.",
    "group: first half, second half.",
    ...(said().includes("eve: eve") ? ["eve: eve"] : []),
  ]);
});

const texts = (items: readonly ContextItem[]): string[] =>
  items.map((item) => `${item.role === "user" ? item.source : item.role}: ${"content" in item ? item.content : ""}`);

const society: Partial<ParticipantDefinition> = { kind: "societyOfMind", model: "voice" };

test("a society of mind is not shown the half of an answer that is complete, or of another", async () => {
  const voice = new ScriptedModel([...say("old ", "half "), waiting], say("rest."), say("next."), say("reply."));
  const fixture = withGroup(new ScriptedModel(say("a1"), say("a2"), say("a3")), society, voice);
  const { team } = fixture;
  const partials = (): unknown[] => voice.lastItems.filter((item) => item.role === "assistant");
  const interrupted = fixture.next("message/chunk", 3).then(() => team.interrupt());
  await team.run("Task");
  await interrupted;
  await team.run();
  assert.equal(partials().length, 1, "the answer that was cut short is continued");
  await team.run("Next task");
  assert.equal(partials().length, 0, "the next answer starts empty");
});

test("a society of mind sees the talk before, which neither its thread nor its conditions contain", async () => {
  const ann = new ScriptedModel(say("a1"), say("a2"), say("a3"));
  const voice = new ScriptedModel(say("The pump is 12 cm wide."), say("In inches: 4.7."));
  const team = {
    name: "Group",
    kind: "roundRobin" as const,
    participants: [{ name: "ann", model: "ann" }],
    termination: { any: [{ maxMessages: 3 }, { textMention: { text: "pump" } }] },
  };
  const fixture = withGroup(ann, { ...society, team }, voice);
  await fixture.team.run("How wide is it?");
  assert.deepEqual(texts(ann.lastItems), ["user: How wide is it?", "assistant: a1"]);

  await fixture.team.run("And in inches?");

  assert.deepEqual(texts(ann.lastItems), [
    "user: How wide is it?",
    "group: The pump is 12 cm wide.",
    "eve: eve",
    "user: And in inches?",
  ]);
});

test("a nested team that failed after someone spoke goes on, rather than answer with what was said", async () => {
  let fails = true;
  const bob = (): string => {
    if (fails) throw new Error("bob fell ill");
    return "bob";
  };
  const { team, said } = testTeam({
    speakers: { ...names("ann"), bob },
    participants: [
      {
        name: "group",
        kind: "team",
        team: { name: "Group", kind: "roundRobin", participants: [{ name: "ann" }, { name: "bob" }], maxTurns: 2 },
      },
    ],
    maxTurns: 1,
  });
  assert.equal((await team.run("t")).status.message, "bob fell ill");
  fails = false;
  await team.run();
  assert.deepEqual(said(), ["user: t", "group: bob"]);
});

test("a nested graph that waits for the user goes on where it stood after a condition ended the outer run", async () => {
  const graph = { edges: [{ from: "ann", to: "me" }] };
  const participants = [{ name: "ann" }, { name: "me", kind: "user" as const }];
  const { team, events } = testTeam({
    speakers: names("ann", "eve"),
    participants: [
      { name: "group", kind: "team", team: { name: "Group", kind: "graph", participants, graph } },
      { name: "eve" },
    ],
    termination: { sourceMatch: { sources: ["eve"] } },
  });
  const spoken = (): number =>
    events.filter((event) => event.type === "message/added" && event.message.source === "ann").length;
  assert.equal((await team.run("t")).stopReason, "USER_INPUT_REQUESTED");
  await team.sendUserMessage("eve", ["And you?"]);
  assert.deepEqual([team.state.status, team.state.awaitingUser], ["idle", undefined]);

  assert.equal((await team.run()).stopReason, "USER_INPUT_REQUESTED");
  assert.deepEqual([spoken(), team.state.awaitingUser], [1, { participant: "me", path: ["group"] }]);

  await team.interrupt({ severity: "stop" });
  assert.equal((await team.run()).stopReason, "USER_INPUT_REQUESTED");
  assert.equal(spoken(), 2, "a stop starts it over");
});
