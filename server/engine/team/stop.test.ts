import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestTeam, testTeam } from "../testing/team.ts";

/** Ann's turns wait for the test. */
function held(
  termination: NonNullable<Parameters<typeof testTeam>[0]["termination"]>,
): TestTeam & { readonly let: () => void } {
  const gates: (() => void)[] = [];
  const it = testTeam({
    speakers: { ann: () => new Promise((resolve) => gates.push(() => resolve("ann"))), bob: () => "bob" },
    termination,
  });
  return { ...it, let: () => gates.shift()?.() };
}

async function stoppedInFirstTurn(it: ReturnType<typeof held>) {
  const speaking = it.next("reasoning/start");
  const run = it.team.run("t");
  await speaking;
  it.team.stop();
  it.let();
  return run;
}

test("a stop sets external within all: it is one of the reasons where the others have fired too", async () => {
  const result = await stoppedInFirstTurn(held({ all: [{ external: true }, { maxMessages: 2 }] }));

  assert.match(result.stopReason ?? "", /^External termination requested, Maximum number of messages 2 reached/);
});

test("a stop ends the run at the turn's end also where external is one of all, and the others have not fired", async () => {
  const it = held({ all: [{ external: true }, { maxMessages: 20 }] });

  const result = await stoppedInFirstTurn(it);

  assert.equal(result.stopReason, "External termination requested");
  assert.deepEqual(it.said(), ["user: t", "ann: ann"]);
});

test("a stop that an interrupt came before does not end the run that goes on after it", async () => {
  const it = held({ any: [{ external: true }, { maxMessages: 4 }] });
  const speaking = it.next("reasoning/start");
  const run = it.team.run("t");
  await speaking;
  it.team.stop();
  await it.team.interrupt();
  await run;

  const again = it.next("reasoning/start");
  const goingOn = it.team.run();
  await again;
  it.let();
  it.let();
  const third = it.next("reasoning/start", 2);
  await Promise.race([third, goingOn]);
  it.let();
  const result = await goingOn;

  assert.match(result.stopReason ?? "", /current message count: 4/);
});
