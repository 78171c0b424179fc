import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { foldOf } from "../testing/memory-journal.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, TEAM_ID, type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** Makes the disk full from the `nth` event on. */
function fullFrom({ journal }: TestTeam, nth: number): void {
  let seen = 0;
  journal.fails = () => ++seen >= nth;
}

const isAtRest = ({ team }: TestTeam): boolean =>
  !team.isRunning && team.state.run === null && team.state.streaming.length === 0 && team.state.calls.length === 0;

test("a run that cannot start on a full disk is rejected with StorageError, and nothing changes", async () => {
  const fixture = testTeam({ speakers: names("ann"), maxTurns: 1 });
  const before = fixture.team.state;
  fullFrom(fixture, 1);

  await assert.rejects(fixture.team.run("t"), { message: "The disk is full.", data: { code: "StorageError" } });
  assert.deepEqual([fixture.team.state, fixture.events, fixture.team.isRunning], [before, [], false]);

  fixture.journal.fails = () => false;
  assert.equal((await fixture.team.run("t")).status.code, "success");
});

test("the disk becomes full at any event: the run ends with status error, the state is consistent, and the next run works", async () => {
  const team = () => {
    const ann = new ScriptedModel([...say("let ", "me"), ...ask(call("c1", "look", 1))], say("I ", "saw"), say("yes"));
    const look = testTool("look", (input) => input);
    return { ann, look, fixture: testTeam({ speakers: { ann, bob: () => "bob" }, tools: [look], maxTurns: 2 }) };
  };
  const undisturbed = team();
  await undisturbed.fixture.team.run("t");
  const count = undisturbed.fixture.journal.kept.length;
  assert.ok(count > 15);

  for (let nth = 2; nth <= count; nth++) {
    const where = `full from ${nth}, ${undisturbed.fixture.journal.kept[nth - 1]?.type}`;
    const { fixture, ann } = team();
    fullFrom(fixture, nth);

    const result = await fixture.team.run("t");

    // The last event is the end of the run itself: the run has ended, and listeners learn of it once the event can be
    // stored.
    const expected = nth === count ? "success" : "error";
    assert.equal(result.status.code, expected, where);
    if (expected === "error") assert.equal(result.status.reason, "StorageError", where);
    assert.ok(isAtRest(fixture), where);
    assert.equal(fixture.events.length, nth - 1, `${where}: listeners see no event that is not stored`);

    fixture.journal.fails = () => false;
    const next = await fixture.team.run("continue");
    assert.equal(next.status.code, "success", where);
    assert.deepEqual(
      fixture.team.state,
      fixture.folded(),
      `${where}: events that could not be stored are notified later, in their order`,
    );
    assert.deepEqual(fixture.team.state, foldOf(fixture.journal.kept, TEAM_ID, fixture.definition), where);
    assert.deepEqual(seqs(fixture.events), seqs(fixture.journal.kept), where);
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

  assert.equal((await team.run("t")).status.reason, "StorageError");

  assert.equal(look.runs.length, 0);
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
