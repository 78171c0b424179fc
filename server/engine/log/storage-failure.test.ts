import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { faultOf } from "../testing/conversation.ts";
import { foldOf } from "../testing/memory-journal.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, TEAM_ID, type TestTeam, testTeam } from "../testing/team.ts";
import { testTool } from "../testing/tools.ts";

/** From the `nth` event on, the disk is full. */
function fullFrom({ journal }: TestTeam, nth: number): void {
  let seen = 0;
  journal.fails = () => ++seen >= nth;
}

const isAtRest = ({ team }: TestTeam): boolean =>
  !team.isRunning && team.state.run === null && team.state.streaming.length === 0 && team.state.calls.length === 0;

test("a run that can not be begun on a full disk is refused with StorageError, and nothing is changed", async () => {
  const fixture = testTeam({ speakers: names("ann"), maxTurns: 1 });
  const before = fixture.team.state;
  fullFrom(fixture, 1);

  await assert.rejects(fixture.team.run("t"), { message: "The disk is full.", data: { code: "StorageError" } });
  assert.deepEqual([fixture.team.state, fixture.events, fixture.team.isRunning], [before, [], false]);

  fixture.journal.fails = () => false;
  assert.equal((await fixture.team.run("t")).status.code, "success");
});

test("the disk is full from any event on: the run ends with status error, the state is coherent, and the next run works", async () => {
  const team = () => {
    const ann = new ScriptedModel([...say("let ", "me"), ...ask(call("c1", "look", 1))], say("I ", "saw"), say("yes"));
    const look = testTool("look", (input) => input);
    return { ann, look, fixture: testTeam({ speakers: { ann, bob: () => "bob" }, tools: [look], maxTurns: 2 }) };
  };
  const whole = team();
  await whole.fixture.team.run("t");
  const count = whole.fixture.journal.kept.length;
  assert.ok(count > 15);

  for (let nth = 2; nth <= count; nth++) {
    const where = `full from ${nth}, ${whole.fixture.journal.kept[nth - 1]?.type}`;
    const { fixture, ann } = team();
    fullFrom(fixture, nth);

    const result = await fixture.team.run("t");

    // The end itself: the run has come to it, and it is told when it can be kept.
    const expected = nth === count ? "success" : "error";
    assert.equal(result.status.code, expected, where);
    if (expected === "error") assert.equal(result.status.reason, "StorageError", where);
    assert.ok(isAtRest(fixture), where);
    assert.equal(fixture.events.length, nth - 1, `${where}: nobody is told of what is not kept`);

    fixture.journal.fails = () => false;
    const next = await fixture.team.run("go on");
    assert.equal(next.status.code, "success", where);
    assert.deepEqual(fixture.team.state, fixture.folded(), `${where}: what could not be told is told in its place`);
    assert.deepEqual(fixture.team.state, foldOf(fixture.journal.kept, TEAM_ID, fixture.definition), where);
    assert.deepEqual(seqs(fixture.events), seqs(fixture.journal.kept), where);
    for (const { items } of ann.requests) assert.equal(faultOf(items), undefined, where);
  }
});

test("no tool runs whose start can not be kept", async () => {
  const look = testTool("look");
  const { team, journal } = testTeam({
    speakers: { ann: new ScriptedModel(ask(call("c1", "look"))) },
    tools: [look],
    maxTurns: 1,
  });
  journal.fails = ({ type }) => type === "tool/started";

  assert.equal((await team.run("t")).status.reason, "StorageError");

  assert.equal(look.runs.length, 0);
});

test("an interrupt on a full disk stops the run and gives its receipt", async () => {
  const fixture = testTeam({
    speakers: { ann: new ScriptedModel([...say("a"), { type: "wait", until: new Promise(() => {}) }]) },
  });
  const streaming = fixture.next("message/chunk");
  const run = fixture.team.run("t");
  await streaming;
  fullFrom(fixture, 1);

  const receipt = await fixture.team.interrupt();

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual([receipt.wasRunning, receipt.status], [true, "paused"]);
  assert.deepEqual(fixture.said(), ["user: t", "ann: a…"]);
});

const seqs = (events: readonly TeamEvent[]): number[] => events.flatMap((event) => ("seq" in event ? [event.seq] : []));
