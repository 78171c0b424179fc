import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolAnswers } from "../requests.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** A team that waits for the user's decision on c1 and c2, here or in a nested team. */
async function waitingForTwo(options: Partial<TestTeamOptions> = {}) {
  const pay = testTool("pay", (input) => `paid ${input}`, { approval: "ask" });
  const ann = new ScriptedModel(ask(call("c1", "pay", 1), call("c2", "pay", 2)), say("thanks"));
  const fixture = testTeam({ speakers: { ann }, tools: [pay], maxTurns: 1, ...options });
  await fixture.team.run("t");
  const [c1, c2] = [fixture.ref("c1"), fixture.ref("c2")];
  const pending = (): string[] => fixture.team.state.pendingTools.map(({ ref }) => ref);
  return { ...fixture, ann, pay, c1, c2, pending };
}

const nested: Partial<TestTeamOptions> = {
  participants: [
    {
      name: "lab",
      kind: "team",
      team: {
        name: "Lab",
        kind: "roundRobin",
        participants: [{ name: "ann", model: "ann", tools: ["pay"] }],
        maxTurns: 1,
      },
    },
  ],
};

for (const [where, options] of [
  ["", {}],
  [" in a nested team", nested],
] as const) {
  for (const event of ["tool/resolved", "run/started"] as const) {
    test(`an interrupt during \`${event}\` of an approval${where}: the tool does not start, and the call is pending again`, async () => {
      const { team, ann, pay, c1, c2, pending, folded } = await waitingForTwo(options);
      const interrupting = interruptAt(team, event);

      const { result } = await team.resolveTools({ restart: [{ ref: c1 }, { ref: c2 }] });
      const receipt = await interrupting;

      assert.deepEqual([receipt.wasRunning, receipt.stopReason], [true, "USER_INTERRUPT"]);
      assert.equal(result?.stopReason ?? "USER_INTERRUPT", "USER_INTERRUPT");
      assert.deepEqual([pay.runs.length, ann.requests.length], [0, 1]);
      assert.deepEqual([pending().sort(), team.state.status], [[c1, c2].sort(), "awaitingTools"]);
      assert.deepEqual(team.state, folded());

      const last = await team.resolveTools({ restart: [{ ref: c1 }, { ref: c2 }] });
      assert.equal(last.result?.status.code, "success");
      assert.equal(pay.runs.length, 2);
      assert.equal(conversationProblem(ann.lastItems), undefined);
    });
  }

  for (const [how, answers] of [
    ["answers", (refs) => ({ respond: refs.map((ref) => ({ ref, output: "given" })) })],
    ["denials", (refs) => ({ deny: refs.map((ref) => ({ ref })) })],
  ] satisfies [string, (refs: readonly string[]) => ToolAnswers][]) {
    test(`an interrupt during \`tool/resolved\` of ${how}${where}: they are kept, and the model is not asked`, async () => {
      const { team, ann, c1, c2, pending, said } = await waitingForTwo(options);
      const interrupting = interruptAt(team, "tool/resolved");

      const { remaining, result } = await team.resolveTools(answers([c1, c2]));
      const receipt = await interrupting;

      assert.deepEqual([receipt.wasRunning, receipt.stopReason], [true, "USER_INTERRUPT"]);
      assert.deepEqual([remaining, result?.stopReason, pending()], [[], "USER_INTERRUPT", []]);
      assert.equal(ann.requests.length, 1);

      assert.equal((await team.run()).status.code, "success");
      assert.equal(ann.requests.length, 2);
      assert.match(said().at(-1) ?? "", /: thanks$/);
      assert.equal(conversationProblem(ann.lastItems), undefined);
    });
  }

  test(`an interrupt with the severity stop during \`tool/resolved\`${where}: nothing is pending any more`, async () => {
    const { team, pay, c1, pending } = await waitingForTwo(options);
    const interrupting = interruptAt(team, "tool/resolved", 1, { severity: "stop" });

    await team.resolveTools({ restart: [{ ref: c1 }] });
    const receipt = await interrupting;

    assert.deepEqual([receipt.wasRunning, receipt.status, pending(), pay.runs.length], [true, "idle", [], 0]);
  });

  for (const scope of ["participant", "call"] as const) {
    test(`an interrupt of one ${scope} during \`tool/resolved\`${where}: its tool does not start`, async () => {
      const { team, pay, c1, c2 } = await waitingForTwo(options);
      const interrupting = interruptAt(team, "tool/resolved", 2, {
        scope: scope === "call" ? { ref: c1 } : { participant: "ann" },
      });

      await team.resolveTools({ restart: [{ ref: c1 }], deny: [{ ref: c2 }] });
      const receipt = await interrupting;

      assert.equal(receipt.wasRunning, true);
      assert.equal(pay.runs.length, 0);
    });
  }
}

test("an interrupt during an answer that leaves calls pending stops nothing: the team is at rest", async () => {
  const { team, c1, c2, pending } = await waitingForTwo();
  const interrupting = interruptAt(team, "tool/resolved");

  assert.deepEqual(await team.resolveTools({ deny: [{ ref: c1 }] }), { remaining: [c2] });

  assert.equal((await interrupting).wasRunning, false);
  assert.deepEqual([pending(), team.isRunning], [[c2], false]);
});

test("a decision that cannot be stored: no tool runs, an interrupt during it resolves, and all calls are pending", async () => {
  const { team, journal, pay, c1, c2, pending } = await waitingForTwo();
  const interrupting = interruptAt(team, "tool/resolved");
  const unlisten = team.onEvent((event) => {
    if (event.type !== "tool/resolved") return;
    unlisten();
    journal.fails = () => true;
  });

  const { remaining } = await team.resolveTools({ restart: [{ ref: c1 }, { ref: c2 }] });
  assert.deepEqual(remaining.sort(), [c1, c2].sort());
  journal.fails = () => false;
  journal.retry();

  await interrupting;
  assert.deepEqual([team.isRunning, pending().sort(), pay.runs.length], [false, [c1, c2].sort(), 0]);
  await team.resolveTools({ restart: [{ ref: c1 }, { ref: c2 }] });
  assert.equal(pay.runs.length, 2);
});

test("a call that is interrupted before its tool has started does not start, and its turn continues", async () => {
  const look = testTool("look");
  const ann = new ScriptedModel(ask(call("c1", "look"), call("c2", "look")), say("On I go."));
  const { team, events, said } = testTeam({ speakers: { ann }, tools: [look], maxTurns: 1 });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  team.onEvent((event) => {
    const [first] = event.type === "tool/requested" ? event.calls : [];
    if (first !== undefined) resolve(team.interrupt({ scope: { ref: first.ref } }));
  });

  const result = await team.run("t");

  assert.partialDeepStrictEqual(await promise, { wasRunning: true, stopReason: null, stopped: { participants: [] } });
  assert.equal(result.status.code, "success");
  assert.deepEqual([look.runs.length, said().at(-1)], [1, "ann: On I go."]);
  assert.equal(events.filter(({ type }) => type === "tool/executed").length, 2);
  assert.equal(conversationProblem(ann.lastItems), undefined);
});

test("a call that is interrupted before it has started, and then its turn: both receipts come", async () => {
  const look = testTool("look");
  const ann = new ScriptedModel(ask(call("c1", "look")), say("On I go."));
  const { team } = testTeam({ speakers: { ann }, tools: [look], maxTurns: 1 });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  team.onEvent((event) => {
    const [first] = event.type === "tool/requested" ? event.calls : [];
    if (first === undefined) return;
    resolve(Promise.all([team.interrupt({ scope: { ref: first.ref } }), team.interrupt()]));
  });

  const result = await team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  await promise;
  assert.equal(look.runs.length, 0);
});
