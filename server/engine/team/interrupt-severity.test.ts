import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { aborted } from "../testing/scripted-model.ts";
import { names, testTeam } from "../testing/team.ts";

test("interrupts at once share the receipt at the highest severity asked for", async () => {
  const it = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = it.next("reasoning/start");
  const run = it.team.run("t");
  await speaking;

  const receipts = await Promise.all([
    it.team.interrupt(),
    it.team.interrupt({ severity: "reset" }),
    it.team.interrupt({ severity: "stop" }),
  ]);
  await run;

  assert.deepEqual(
    receipts.map(({ severity }) => severity),
    ["reset", "reset", "reset"],
  );
  assert.deepEqual(it.team.state.thread, []);
  assert.equal(it.team.state.status, "idle");
});

test("interrupting a team at rest is no error: wasRunning is false, and at once with another the highest severity counts", async () => {
  const it = testTeam({ speakers: names("ann"), maxTurns: 1 });
  await it.team.run("t");

  const receipt = await it.team.interrupt();
  assert.deepEqual([receipt.wasRunning, receipt.stopReason, receipt.status], [false, null, "idle"]);
  assert.equal(it.said().length, 2);

  const both = await Promise.all([it.team.interrupt(), it.team.interrupt({ severity: "reset" })]);
  assert.deepEqual(
    both.map(({ severity }) => severity),
    ["reset", "reset"],
  );
  assert.deepEqual(it.said(), []);
});

test("severity stop begins turn count and conditions anew, keeps the thread, and leaves the team idle", async () => {
  const it = testTeam({ speakers: names("ann", "bob"), termination: { maxMessages: 3 } });
  const interrupting = interruptAt(it.team, "reasoning/start", 2, { severity: "stop" });
  await it.team.run("t");

  assert.deepEqual([(await interrupting).severity, it.team.state.status, it.team.state.turn], ["stop", "idle", 0]);
  assert.deepEqual(it.said(), ["user: t", "ann: ann"]);
  const sources = ({ messages }: { messages: readonly ChatMessage[] }) => messages.map(({ source }) => source);
  assert.deepEqual(sources(await it.team.run()), ["bob", "ann", "bob"]);
});

test("severity reset also clears the thread, as team/reset does", async () => {
  const it = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
  const speaking = it.next("reasoning/start");
  const run = it.team.run("t");
  await speaking;

  const receipt = await it.team.interrupt({ severity: "reset" });

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual([receipt.status, it.team.state.thread, it.team.state.turn], ["idle", [], 0]);
});

test("the hard stop: an aborted signal ends the run with CANCELLED, before its start too", async () => {
  for (const when of ["before", "during"]) {
    const aborter = new AbortController();
    const it = testTeam({ speakers: { ann: (_, signal) => aborted(signal).then(() => "") } });
    if (when === "before") aborter.abort();
    const speaking = it.next("reasoning/start");
    const run = it.team.run("t", { signal: aborter.signal });
    if (when === "during") await speaking;
    aborter.abort();

    const result = await run;

    assert.equal(result.stopReason, "CANCELLED", when);
    assert.deepEqual(result.status, { code: "cancelled" }, when);
    assert.deepEqual([it.said(), it.team.state.status, it.team.isRunning], [["user: t"], "idle", false], when);
  }
});
