import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestTeam, testTeam } from "../testing/test-team.ts";

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
