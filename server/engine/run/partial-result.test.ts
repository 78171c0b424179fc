import assert from "node:assert/strict";
import { test } from "node:test";
import { interruptAt } from "../testing/interrupt-at.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, names, type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const interrupted = { code: "interrupted", reason: "external_interrupt" };
const partial = { ...interrupted, message: "Execution interrupted with partial results" };

/** The status with which the last run ended. */
const ended = ({ events }: TestTeam): unknown => {
  const event = events.findLast(({ type }) => type === "run/ended");
  return event?.type === "run/ended" && event.status;
};

test("a run that is interrupted while someone speaks, or after someone has spoken, says that its results are partial", async () => {
  for (const type of ["message/chunk", "message/added"] as const) {
    const fixture = testTeam({ speakers: { ann: new ScriptedModel(say("one ", "two")), ...names("bob") } });
    const interrupting = interruptAt(fixture.team, type, type === "message/added" ? 2 : 1);

    const result = await fixture.team.run("t");
    await interrupting;

    assert.deepEqual([result.status, ended(fixture)], [partial, partial], type);
    assert.equal(result.messages.length, 2);
  }
});

test("a run that is interrupted before anyone has spoken has no results, whatever started it", async () => {
  const look = testTool("look");
  const ann = new ScriptedModel(ask(call("1", "look")), ask(call("2", "look")), ask(call("3", "look")));
  const fixture = testTeam({ speakers: { ann }, tools: [look] });
  const { team } = fixture;
  const starts = [
    () => team.run("t"),
    () => team.run(),
    () => team.sendUserMessage("ann", ["why?"], afterReply("pause")),
  ];
  for (const start of starts) {
    const interrupting = interruptAt(team, "tool/requested");
    const result = await start();
    await interrupting;
    assert.deepEqual([result.status, ended(fixture)], [interrupted, interrupted]);
  }
});

test("a nested team's partial words are partial results of the outer run's turn, not of its thread", async () => {
  const fixture = testTeam({
    speakers: { cat: new ScriptedModel(say("one ", "two")) },
    participants: [
      {
        name: "lab",
        kind: "team",
        team: { name: "Lab", kind: "roundRobin", participants: [{ name: "cat", model: "cat" }] },
      },
    ],
  });
  const interrupting = interruptAt(fixture.team, "message/chunk");
  const result = await fixture.team.run("t");
  const receipt = await interrupting;

  assert.equal(receipt.partials.length, 1);
  assert.deepEqual(result.status, partial);
  assert.deepEqual(
    fixture.events.flatMap((event) => (event.type === "run/ended" ? [event.status] : [])),
    [partial, partial],
  );
});
