import assert from "node:assert/strict";
import { test } from "node:test";
import { atRest } from "../testing/at-rest.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** A team in which ann's turns wait for the test. */
function held(
  termination: NonNullable<Parameters<typeof testTeam>[0]["termination"]>,
): TestTeam & { readonly let: () => void } {
  const gates: (() => void)[] = [];
  const fixture = testTeam({
    speakers: { ann: () => new Promise((resolve) => gates.push(() => resolve("ann"))), bob: () => "bob" },
    termination,
  });
  return { ...fixture, let: () => gates.shift()?.() };
}

async function stoppedInFirstTurn(fixture: ReturnType<typeof held>) {
  const speaking = fixture.next("reasoning/start");
  const run = fixture.team.run("t");
  await speaking;
  fixture.team.stop();
  fixture.let();
  return run;
}

test("a stop sets external within all: it is one of the reasons if the others have fired too", async () => {
  const result = await stoppedInFirstTurn(held({ all: [{ external: true }, { maxMessages: 2 }] }));

  assert.match(result.stopReason ?? "", /^External termination requested, Maximum number of messages 2 reached/);
});

test("a stop ends the run at the end of the turn, even if external is within all and the others have not fired", async () => {
  const fixture = held({ all: [{ external: true }, { maxMessages: 20 }] });

  const result = await stoppedInFirstTurn(fixture);

  assert.equal(result.stopReason, "External termination requested");
  assert.deepEqual(fixture.said(), ["user: t", "ann: ann"]);
});

test("a stop overtaken by an interrupt does not end the run that continues after it", async () => {
  const fixture = held({ any: [{ external: true }, { maxMessages: 4 }] });
  const speaking = fixture.next("reasoning/start");
  const run = fixture.team.run("t");
  await speaking;
  fixture.team.stop();
  await fixture.team.interrupt();
  await run;

  const again = fixture.next("reasoning/start");
  const goingOn = fixture.team.run();
  await again;
  fixture.let();
  fixture.let();
  const third = fixture.next("reasoning/start", 2);
  await Promise.race([third, goingOn]);
  fixture.let();
  const result = await goingOn;

  assert.match(result.stopReason ?? "", /current message count: 4/);
});

test("a stop is recorded once, and withdrawn: the run goes on after the turn", async () => {
  const fixture = held({ any: [{ external: true }, { maxMessages: 3 }] });
  const speaking = fixture.next("reasoning/start");
  const run = fixture.team.run("t");
  await speaking;
  fixture.team.stop();
  fixture.team.stop();
  assert.equal(fixture.team.state.stopRequested, true);
  fixture.team.withdrawStop();
  fixture.team.withdrawStop();
  assert.equal(fixture.team.state.stopRequested, undefined);
  fixture.let();
  const result = await run;

  assert.deepEqual(
    fixture.types().filter((type) => type.startsWith("stop/")),
    ["stop/requested", "stop/withdrawn"],
  );
  assert.deepEqual(fixture.said(), ["user: t", "ann: ann", "bob: bob"]);
  assert.match(result.stopReason ?? "", /current message count: 3/);
});

test("at rest, a stop does nothing", () => {
  const { team, types } = held({ maxMessages: 3 });
  team.stop();
  team.withdrawStop();
  assert.deepEqual(types(), []);
});

/** A team in which ann asks for calls that need an approval, in her first turn. */
function asking(...ids: readonly string[]): TestTeam {
  const ann = new ScriptedModel(ask(...ids.map((id) => call(id, "pay"))), say("ann paid"), say("ann again"));
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  return testTeam({ speakers: { ann, bob: () => "bob" }, tools: [pay], maxTurns: 3 });
}

test("a stop while a call waits ends the run with the turn that goes on after the decision", async () => {
  const fixture = asking("c1");
  await fixture.team.run("t");
  fixture.team.stop();
  const { result } = await fixture.team.resolveTools({ restart: [{ ref: fixture.ref("c1") }] });

  assert.equal(result?.stopReason, "External termination requested");
  assert.deepEqual(fixture.said(), ["user: t", "ann: ann paid"]);
  assert.equal(fixture.team.state.stopRequested, undefined);
  assert.deepEqual(fixture.folded(), fixture.team.state);
});

test("a stop is kept by a turn that comes to wait, by the first of two decisions, and by a restart", async () => {
  const before = asking("c1", "c2");
  const asked = before.next("tool/requested");
  const run = before.team.run("t");
  await asked;
  before.team.stop();
  assert.equal((await run).stopReason, "TOOL_INTERRUPT");

  const fixture = before.reopened();
  assert.equal(fixture.team.state.stopRequested, true);
  await fixture.team.resolveTools({ restart: [{ ref: fixture.ref("c1") }] });
  assert.equal(fixture.team.state.pendingTools.length, 1);
  assert.equal(fixture.team.state.stopRequested, true);
  const { result } = await fixture.team.resolveTools({ deny: [{ ref: fixture.ref("c2") }] });
  assert.equal(result?.stopReason, "External termination requested");
  assert.deepEqual(fixture.said(), ["user: t", "ann: ann paid"]);
});

test("a stop while a call waits is withdrawn, or goes with the call that an interrupt cancels", async () => {
  const withdrawn = asking("c1");
  await withdrawn.team.run("t");
  withdrawn.team.stop();
  withdrawn.team.withdrawStop();
  const { result } = await withdrawn.team.resolveTools({ restart: [{ ref: withdrawn.ref("c1") }] });
  assert.equal(result?.stopReason, "Maximum number of turns 3 reached.");

  const interrupted = asking("c1");
  await interrupted.team.run("t");
  interrupted.team.stop();
  await interrupted.team.interrupt({ waitingCalls: "cancel" });
  assert.equal(interrupted.team.state.stopRequested, undefined);
  assert.equal((await interrupted.team.run()).stopReason, "Maximum number of turns 3 reached.");
});

test("a message to a participant beside a call that waits is answered; the stop waits for the decision", async () => {
  const fixture = asking("c1");
  await fixture.team.run("t");
  fixture.team.stop();
  await fixture.team.sendUserMessage("bob", ["Why?"], { delivery: "now" });
  await atRest(fixture.team);
  assert.deepEqual([fixture.team.state.status, fixture.team.state.stopRequested], ["awaitingTools", true]);
  const { result } = await fixture.team.resolveTools({ restart: [{ ref: fixture.ref("c1") }] });
  assert.equal(result?.stopReason, "External termination requested");
});
