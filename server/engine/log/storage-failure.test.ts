import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { foldOf } from "../testing/memory-journal.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { TEAM_ID, type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** Makes the disk full from the `nth` event on, which fails the run as the host does. */
function fullFrom({ journal, team }: TestTeam, nth: number): void {
  let seen = 0;
  journal.fails = () => ++seen >= nth;
  journal.onFailure = (error) => team.fail(error);
}

const isAtRest = ({ team }: TestTeam): boolean =>
  !team.isRunning && team.state.run === null && team.state.streaming.length === 0 && team.state.calls.length === 0;

test("the disk becomes full at any event: the run pauses with the error, no tool runs unrecorded, and the team goes on", async () => {
  const team = () => {
    const ann = new ScriptedModel([...say("let ", "me"), ...ask(call("c1", "look", 1))], say("I ", "saw"), say("yes"));
    const look = testTool("look", (input) => input);
    return { ann, look, fixture: testTeam({ speakers: { ann, bob: () => "bob" }, tools: [look], maxTurns: 2 }) };
  };
  const undisturbed = team();
  await undisturbed.fixture.team.run("t");
  const count = undisturbed.fixture.journal.kept.length;
  assert.ok(count > 15);

  for (let nth = 1; nth <= count; nth++) {
    const where = `full from ${nth}, ${undisturbed.fixture.journal.kept[nth - 1]?.type}`;
    const { fixture, ann, look } = team();
    const { journal } = fixture;
    fullFrom(fixture, nth);

    const { status } = await fixture.team.run("t");
    // The failure is noticed in a later turn of the event loop, which may be after the run.
    await nextTurn();

    if (status.code !== "success") {
      assert.deepEqual(
        [status.code, status.reason, status.message],
        ["error", "StorageError", "The disk is full."],
        where,
      );
      assert.deepEqual([fixture.team.state.status, fixture.team.state.interrupted], ["paused", true], where);
    }
    assert.ok(isAtRest(fixture), where);
    assert.equal(journal.kept.length, nth - 1, `${where}: nothing is stored after what could not be`);
    const started = journal.kept.some(({ type }) => type === "tool/started");
    assert.equal(look.runs.length, started ? 1 : 0, `${where}: a tool runs once its start is stored`);

    journal.fails = () => false;
    journal.retry();
    assert.equal((await fixture.team.run("continue")).status.code, "success", where);
    assert.deepEqual(fixture.team.state, fixture.folded(), where);
    assert.deepEqual(fixture.team.state, foldOf(journal.kept, TEAM_ID, fixture.definition), where);
    assert.deepEqual(seqs(fixture.events), seqs(journal.kept), where);
    for (const { items } of ann.requests) assert.equal(conversationProblem(items), undefined, where);
  }
});

test("a tool does not run if its start cannot be stored", async () => {
  const look = testTool("look");
  const { team, journal } = testTeam({
    speakers: { ann: new ScriptedModel(ask(call("c1", "look"))) },
    tools: [look],
    maxTurns: 1,
  });
  journal.fails = ({ type }) => type === "tool/started";
  journal.onFailure = (error) => team.fail(error);

  assert.equal((await team.run("t")).status.reason, "StorageError");

  assert.equal(look.runs.length, 0);
});

test("a tool waits until its start is stored", async () => {
  const look = testTool("look");
  const fixture = testTeam({
    speakers: { ann: new ScriptedModel(ask(call("c1", "look")), say("seen")) },
    tools: [look],
    maxTurns: 1,
  });
  fixture.journal.fails = ({ type }) => type === "tool/started";
  const started = fixture.next("tool/started");
  const run = fixture.team.run("t");
  await started;
  assert.equal(look.runs.length, 0);

  fixture.journal.retry();
  assert.equal((await run).messages.at(-1)?.content, "seen");
  assert.equal(look.runs.length, 1);
});

test("an interrupt on a full disk stops the run and returns a receipt", async () => {
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
