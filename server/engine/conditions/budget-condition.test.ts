import assert from "node:assert/strict";
import { test } from "node:test";
import { ScriptedModel, say, spend } from "../testing/scripted-model.ts";
import { names, testTeam } from "../testing/test-team.ts";
import { BudgetCondition } from "./budget-condition.ts";

const usage = { prompt: 6, completion: 4, total: 10, cost: 0.25 };
const spending = (): ScriptedModel =>
  new ScriptedModel(...Array.from({ length: 9 }, () => [...say("ann"), spend(usage)]));

test("a budget that is used up pauses the run, and is granted again when the user continues", async () => {
  const run = testTeam({ speakers: { ann: spending() }, termination: { budget: { tokens: 20 } } });

  const first = await run.team.run("t");

  assert.equal(first.stopReason, "The budget of 20 tokens is used up, at 20 tokens");
  assert.deepEqual(first.status, { code: "interrupted", reason: "budget" });
  assert.equal(run.team.state.status, "paused");
  assert.deepEqual(run.said(), ["user: t", "ann: ann", "ann: ann"]);

  await run.team.run();

  assert.equal(run.said().length, 5);
  assert.equal(run.team.state.status, "paused");
});

test("after a restart the budget is the last grant less what was spent since", async () => {
  const run = testTeam({ speakers: { ann: spending() }, termination: { budget: { tokens: 20 } } });
  await run.team.run("t");

  const again = run.reopened();
  await again.team.run();

  assert.equal(again.said().length, 5);
});

for (const [limits, reason, turns] of [
  [{ turns: 3 }, "The budget of 3 turns is used up, at 3 turns", 3],
  [{ cost: 0.4 }, "The budget of $0.4000 is used up, at $0.5000", 2],
] as const) {
  test(`a budget of ${JSON.stringify(limits)}`, async () => {
    const run = testTeam({ speakers: { ann: spending() }, termination: { any: [{ budget: limits }] } });

    const result = await run.team.run("t");

    assert.equal(result.stopReason, reason);
    assert.equal(run.said().length, 1 + turns);
    assert.equal(run.team.state.status, "paused");
  });
}

test("a condition that ends the run takes precedence over a budget that is used up at the same time", async () => {
  const run = testTeam({
    speakers: names("ann"),
    termination: { any: [{ budget: { turns: 2 } }, { maxMessages: 3 }] },
  });

  const result = await run.team.run("t");

  assert.equal(result.status.code, "success");
  assert.equal(run.team.state.status, "idle");
});

const AT = "2026-01-01T00:00:00Z";
const atSecond = (second: number): string => new Date(Date.parse(AT) + second * 1000).toISOString();

test("time is only counted while runs are in progress", () => {
  let now = 50_000;
  const budget = new BudgetCondition({ seconds: 10 }, () => now);

  assert.equal(
    budget.check([
      { type: "RunStarted", at: AT, ms: 10_000 },
      { type: "RunEnded", at: AT, ms: 16_000 },
    ]),
    null,
  );
  assert.equal(budget.check([{ type: "RunStarted", at: AT, ms: 47_000 }]), null);
  now += 1_000;
  assert.equal(budget.check([]), "The budget of 10 seconds is used up, at 10 seconds");
  assert.equal(budget.check([{ type: "RunEnded", at: AT, ms: now, renews: true }]), null);
});

test("the time of a run of an earlier process is that between its events, and never negative", () => {
  const budget = new BudgetCondition({ seconds: 10 }, () => 0);
  const run = (from: number, to: number) =>
    budget.check([
      { type: "RunStarted", at: atSecond(from) },
      { type: "RunEnded", at: atSecond(to) },
    ]);

  assert.equal(run(0, 6), null);
  assert.equal(run(6, -3_600), null);
  assert.equal(run(-3_600, -3_596), "The budget of 10 seconds is used up, at 10 seconds");
});

for (const hours of [-2, 2]) {
  test(`a clock that jumps by ${hours} hours does not change the time of a budget, or of an interrupt`, async (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: Date.parse(AT) });
    const jump = (): void => t.mock.timers.setTime(Date.now() + hours * 3_600_000);
    const ann = (): string => {
      jump();
      return "ann";
    };
    const run = testTeam({
      speakers: { ann },
      termination: { any: [{ budget: { seconds: 3_600 } }, { maxMessages: 3 }] },
    });

    const { status } = await run.team.run("t");

    assert.equal(status.code, "success");
    const waits = testTeam({
      speakers: {
        ann: (_, signal) => {
          jump();
          return new Promise((resolve) => signal.addEventListener("abort", () => resolve("ann"), { once: true }));
        },
      },
      termination: { budget: { seconds: 3_600 } },
    });
    const stopped = waits.team.run("t");
    await waits.next("reasoning/start");
    const receipt = waits.team.interrupt({});
    jump();
    const { requestedAt, acknowledgedAt, quiescedAt } = await receipt;
    const after = (time: string): number => Date.parse(time) - Date.parse(requestedAt);
    assert.ok(after(acknowledgedAt) >= 0 && after(quiescedAt) >= after(acknowledgedAt), "in order");
    assert.ok(after(quiescedAt) < 3_600_000, `${after(quiescedAt)} ms`);
    await stopped;
  });
}

test("a budget of a nested team pauses the whole team, and continuing grants it again", async () => {
  const run = testTeam({
    speakers: { ann: spending() },
    participants: [
      {
        name: "research",
        kind: "team",
        team: {
          name: "Research",
          kind: "roundRobin",
          participants: [{ name: "ann", model: "ann" }],
          termination: { any: [{ budget: { turns: 2 } }, { maxMessages: 5 }] },
        },
      },
    ],
    maxTurns: 1,
  });

  const first = await run.team.run("t");
  const second = await run.team.run();

  assert.equal(first.stopReason, "The budget of 2 turns is used up, at 2 turns");
  assert.equal(second.status.code, "success");
  assert.deepEqual(run.said(), ["user: t", "research: ann"]);
});
