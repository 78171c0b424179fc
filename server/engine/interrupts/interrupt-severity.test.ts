import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { aborted } from "../testing/scripted-model.ts";
import { names, testTeam } from "../testing/test-team.ts";

test("concurrent interrupts share one receipt, with the highest severity requested", async () => {
  const { team, next } = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = next("reasoning/start");
  const run = team.run("t");
  await speaking;

  const receipts = await Promise.all([
    team.interrupt(),
    team.interrupt({ severity: "reset" }),
    team.interrupt({ severity: "stop" }),
  ]);
  await run;

  assert.deepEqual(
    receipts.map(({ severity }) => severity),
    ["reset", "reset", "reset"],
  );
  assert.deepEqual(team.state.thread, []);
  assert.equal(team.state.status, "idle");
});

test("interrupting a team at rest is not an error: wasRunning is false, and of concurrent interrupts the highest severity counts", async () => {
  const { team, said } = testTeam({ speakers: names("ann"), maxTurns: 1 });
  await team.run("t");

  const receipt = await team.interrupt();
  assert.deepEqual([receipt.wasRunning, receipt.stopReason, receipt.status], [false, null, "idle"]);
  assert.equal(said().length, 2);

  const both = await Promise.all([team.interrupt(), team.interrupt({ severity: "reset" })]);
  assert.deepEqual(
    both.map(({ severity }) => severity),
    ["reset", "reset"],
  );
  assert.deepEqual(said(), []);
});

test("severity stop resets turn count and conditions, keeps the thread, and leaves the team idle", async () => {
  const { team, said } = testTeam({ speakers: names("ann", "bob"), termination: { maxMessages: 3 } });
  const interrupting = interruptAt(team, "reasoning/start", 2, { severity: "stop" });
  await team.run("t");

  assert.deepEqual([(await interrupting).severity, team.state.status, team.state.turn], ["stop", "idle", 0]);
  assert.deepEqual(said(), ["user: t", "ann: ann"]);
  const sources = ({ messages }: { messages: readonly ChatMessage[] }) => messages.map(({ source }) => source);
  assert.deepEqual(sources(await team.run()), ["bob", "ann", "bob"]);
});

test("severity reset also clears the thread, as team/reset does", async () => {
  const { team, next } = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = next("reasoning/start");
  const run = team.run("t");
  await speaking;

  const receipt = await team.interrupt({ severity: "reset" });

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual([receipt.status, team.state.thread, team.state.turn], ["idle", [], 0]);
});

test("the hard stop: an aborted signal ends the run with CANCELLED, also before it has started", async () => {
  for (const when of ["before", "during"]) {
    const aborter = new AbortController();
    const { team, next, said } = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
    if (when === "before") aborter.abort();
    const speaking = next("reasoning/start");
    const run = team.run("t", { signal: aborter.signal });
    if (when === "during") await speaking;
    aborter.abort();

    const result = await run;

    assert.equal(result.stopReason, "CANCELLED", when);
    assert.deepEqual(result.status, { code: "cancelled" }, when);
    assert.deepEqual([said(), team.state.status, team.isRunning], [["user: t"], "idle", false], when);
  }
});
