import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import { ScriptedModel, say, spend } from "../testing/scripted-model.ts";
import { afterReply, type TestTeamOptions, testTeam } from "../testing/test-team.ts";

/** An outer team of ann and the nested team lab, in which there is another ann. */
function namesakes(inner: Partial<TeamDefinition> = {}, options: Partial<TestTeamOptions> = {}) {
  const outer = new ScriptedModel([...say("outer words"), spend({ prompt: 7, completion: 3, total: 10 })]);
  const own = new ScriptedModel(say("inner words"), say("more inner words"));
  const lab: ParticipantDefinition = {
    name: "lab",
    kind: "team",
    team: {
      name: "Lab",
      kind: "roundRobin",
      participants: [{ name: "ann", model: "own" }],
      maxTurns: 1,
      ...inner,
    },
  };
  const fixture = testTeam({
    speakers: { outer, own },
    participants: [{ name: "ann", model: "outer" }, lab],
    maxTurns: 2,
    ...options,
  });
  const thread = (): string[] =>
    (fixture.team.state.inner?.["lab"]?.thread ?? []).map(({ source, content }) => `${source}: ${content}`);
  return { fixture, own, thread };
}

test("an outer namesake's words are another's: the nested participant's model sees them as such, under the outer team's name", async () => {
  const { fixture, own, thread } = namesakes();

  await fixture.team.run("t");

  assert.deepEqual(
    own.requests[0]?.items.map((item) => [
      item.role,
      item.role === "user" && item.source,
      "content" in item && item.content,
    ]),
    [
      ["user", "user", "t"],
      ["user", "Test/ann", "outer words"],
    ],
  );
  assert.deepEqual(thread(), ["user: t", "Test/ann: outer words", "ann: inner words"]);
  assert.deepEqual(fixture.said(), ["user: t", "ann: outer words", "lab: inner words"]);
  assert.deepEqual(fixture.team.state, fixture.folded());
});

test("an outer namesake's words fire no condition of the nested team that names its own participant", async () => {
  const { fixture, thread } = namesakes({
    maxTurns: 2,
    termination: { any: [{ sourceMatch: { sources: ["ann"] } }, { textMention: { text: "outer", sources: ["ann"] } }] },
  });

  await fixture.team.run("t");

  assert.deepEqual(thread(), ["user: t", "Test/ann: outer words", "ann: inner words"]);
});

test("an outer namesake's words are not the last line of the nested participant, nor its usage", async () => {
  const hold = Promise.withResolvers<void>();
  const own = new ScriptedModel([{ type: "wait", until: hold.promise }]);
  const { fixture } = namesakes({}, { speakers: { outer: new ScriptedModel(say("outer words")), own } });
  const nested = fixture.next("reasoning/start", 3);
  const run = fixture.team.run("t");
  await nested;
  assert.equal(fixture.team.state.inner?.["lab"]?.participants[0]?.lastLine, undefined);
  await fixture.team.interrupt();
  await run;
});

test("the usage of an outer message is counted once, where it was spent", async () => {
  const { fixture } = namesakes();
  const result = await fixture.team.run("t");
  assert.deepEqual([result.usage.total, fixture.team.state.usage.total], [10, 10]);
  assert.equal(fixture.team.state.inner?.["lab"]?.usage.total, 0);
});

test("a message of the user to an outer namesake is not addressed to the nested participant", async () => {
  const { fixture, own } = namesakes({}, { maxTurns: 3 });
  await fixture.team.sendUserMessage("ann", ["why?"], afterReply("pause"));
  await fixture.team.run();
  const [first] = own.requests[0]?.items ?? [];
  assert.partialDeepStrictEqual(first, { role: "user", content: "why?", directedTo: "Test/ann" });
});
