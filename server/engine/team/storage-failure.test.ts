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
  const it = testTeam({ speakers: names("ann"), maxTurns: 1 });
  const before = it.team.state;
  fullFrom(it, 1);

  await assert.rejects(it.team.run("t"), { message: "The disk is full.", data: { code: "StorageError" } });
  assert.deepEqual([it.team.state, it.events, it.team.isRunning], [before, [], false]);

  it.journal.fails = () => false;
  assert.equal((await it.team.run("t")).status.code, "success");
});

test("the disk is full from any event on: the run ends with status error, the state is coherent, and the next run works", async () => {
  const team = () => {
    const ann = new ScriptedModel([...say("let ", "me"), ...ask(call("c1", "look", 1))], say("I ", "saw"), say("yes"));
    const look = testTool("look", (input) => input);
    return { ann, look, it: testTeam({ speakers: { ann, bob: () => "bob" }, tools: [look], maxTurns: 2 }) };
  };
  const whole = team();
  await whole.it.team.run("t");
  const count = whole.it.journal.kept.length;
  assert.ok(count > 15);

  for (let nth = 2; nth <= count; nth++) {
    const where = `full from ${nth}, ${whole.it.journal.kept[nth - 1]?.type}`;
    const { it, ann } = team();
    fullFrom(it, nth);

    const result = await it.team.run("t");

    // The end itself: the run has come to it, and it is told when it can be kept.
    const expected = nth === count ? "success" : "error";
    assert.equal(result.status.code, expected, where);
    if (expected === "error") assert.equal(result.status.reason, "StorageError", where);
    assert.ok(isAtRest(it), where);
    assert.equal(it.events.length, nth - 1, `${where}: nobody is told of what is not kept`);

    it.journal.fails = () => false;
    const next = await it.team.run("go on");
    assert.equal(next.status.code, "success", where);
    assert.deepEqual(it.team.state, it.folded(), `${where}: what could not be told is told in its place`);
    assert.deepEqual(it.team.state, foldOf(it.journal.kept, TEAM_ID, it.definition), where);
    assert.deepEqual(seqs(it.events), seqs(it.journal.kept), where);
    for (const { items } of ann.requests) assert.equal(faultOf(items), undefined, where);
  }
});

test("no tool runs whose start can not be kept", async () => {
  const look = testTool("look");
  const it = testTeam({ speakers: { ann: new ScriptedModel(ask(call("c1", "look"))) }, tools: [look], maxTurns: 1 });
  it.journal.fails = ({ type }) => type === "tool/started";

  assert.equal((await it.team.run("t")).status.reason, "StorageError");

  assert.equal(look.runs.length, 0);
});

test("an interrupt on a full disk stops the run and gives its receipt", async () => {
  const it = testTeam({
    speakers: { ann: new ScriptedModel([...say("a"), { type: "wait", until: new Promise(() => {}) }]) },
  });
  const streaming = it.next("message/chunk");
  const run = it.team.run("t");
  await streaming;
  fullFrom(it, 1);

  const receipt = await it.team.interrupt();

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual([receipt.wasRunning, receipt.status], [true, "paused"]);
  assert.deepEqual(it.said(), ["user: t", "ann: a…"]);
});

const seqs = (events: readonly TeamEvent[]): number[] => events.flatMap((event) => ("seq" in event ? [event.seq] : []));
