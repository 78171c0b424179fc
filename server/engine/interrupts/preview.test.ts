import assert from "node:assert/strict";
import { test } from "node:test";
import { rejectionOf } from "../testing/rejection.ts";
import { aborted, ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const never = new Promise<never>(() => {});

/** Ann, in mid-sentence; bob is next. */
async function speaking(): Promise<TestTeam & { readonly end: () => Promise<void> }> {
  const ann = new ScriptedModel([...say("one ", "two"), { type: "wait", until: never }]);
  const fixture = testTeam({ speakers: { ann, bob: () => "bob" } });
  const spoken = fixture.next("message/chunk", 2);
  const run = fixture.team.run("t");
  await spoken;
  const end = async (): Promise<void> => {
    await fixture.team.interrupt();
    await run;
  };
  return { ...fixture, end };
}

test("a preview of an interrupt shows who is stopped and how much text is kept, and changes nothing", async () => {
  const { team, end } = await speaking();
  void team.sendUserMessage("bob", ["later"], { delivery: "queue" });
  const before = team.state;

  const preview = team.previewInterrupt();

  const { streaming, waits, ...rest } = preview;
  assert.deepEqual(rest, { isRunning: true, participants: [{ participant: "ann", activity: "speaking" }], tools: [] });
  assert.deepEqual(
    streaming.map(({ source, words }) => [source, words]),
    [["ann", 2]],
  );
  assert.deepEqual(
    waits.map(({ messages }) => messages),
    [["later"]],
  );
  assert.equal(team.state, before);
  await end();
  assert.deepEqual(team.previewInterrupt(), { ...preview, isRunning: false, participants: [], streaming: [] });
});

test("the scope of a silent participant stops nothing; an unknown name is an error", async () => {
  const { team, end } = await speaking();

  assert.deepEqual(
    [team.previewInterrupt({ participant: "bob" }), team.previewInterrupt({ participant: "ann" })].map(
      ({ isRunning, participants, streaming }) => [isRunning, participants.length, streaming.length],
    ),
    [
      [false, 0, 0],
      [true, 1, 1],
    ],
  );
  assert.equal(
    (await rejectionOf(async () => team.previewInterrupt({ participant: "zoe" }))).data.code,
    "UnknownParticipant",
  );
  await end();
});

test("a preview shows the calls that would stop and whether they may have had effects; the scope of one call is that call", async () => {
  const untilAborted = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
    aborted(signal).then(() => signal.throwIfAborted());
  const tools = [
    testTool("pay", untilAborted, { onInterrupt: "wait" }),
    testTool("look", untilAborted, { readOnly: true }),
  ];
  const ann = new ScriptedModel(ask(call("c1", "pay"), call("c2", "look")));
  const { team, next, ref } = testTeam({
    speakers: { ann },
    tools,
    graceMs: 1,
    participants: [
      {
        name: "research",
        kind: "team",
        team: { name: "R", kind: "roundRobin", participants: [{ name: "ann", model: "ann", tools: ["pay", "look"] }] },
      },
    ],
  });
  const started = next("tool/started", 2);
  const run = team.run("t");
  await started;

  const place = { participant: "ann", path: ["research"], state: "running" as const };
  const pay = { ref: ref("c1"), name: "pay", ...place, mayHaveHadEffects: true, onInterrupt: "wait" as const };
  const look = { ref: ref("c2"), name: "look", ...place, mayHaveHadEffects: false, onInterrupt: "abort" as const };
  const whole = team.previewInterrupt();
  assert.deepEqual(whole.tools, [pay, look]);
  assert.deepEqual(
    whole.participants.map(({ participant, path }) => [participant, path]),
    [
      ["research", undefined],
      ["ann", ["research"]],
    ],
  );
  assert.deepEqual(team.previewInterrupt({ participant: "ann" }), whole, "the turn around ends with it");
  assert.deepEqual(team.previewInterrupt({ participant: "research" }), whole);
  assert.deepEqual(team.previewInterrupt({ ref: ref("c2") }), { ...whole, participants: [], tools: [look] });
  assert.equal(team.previewInterrupt({ ref: ref("c9") }).isRunning, false);
  await team.interrupt();
  await run;
});

test("a preview of a message shows when it is delivered, who is interrupted for it, and who sees it", async () => {
  const { team, end } = await speaking();

  const now = team.previewMessage("bob");
  assert.deepEqual(
    [now.when.code, now.interrupts, now.seenBy],
    ["afterInterrupt", [{ participant: "ann" }], ["ann", "bob"]],
  );
  const queued = team.previewMessage("bob", { delivery: "queue", visibility: "target" });
  assert.deepEqual([queued.when.code, queued.interrupts, queued.seenBy], ["afterRun", [], ["bob"]]);
  assert.equal(team.previewMessage("bob", { delivery: "steer" }).when.code, "atNextTurn");
  void team.sendUserMessage("bob", ["first"], { delivery: "queue" });
  assert.match(team.previewMessage("bob", { delivery: "queue" }).when.text, /after 1 waiting message;/);
  await end();
  assert.deepEqual([team.previewMessage("bob").when.code, team.previewMessage("bob").seenByManager], ["now", false]);
  assert.equal((await rejectionOf(async () => team.previewMessage("zoe"))).data.code, "UnknownParticipant");
});

test("a preview of a message to the whole team: the run goes on with it, and all participants see it", async () => {
  const { team, end } = await speaking();

  const now = team.previewMessage(undefined, { delivery: "now" });
  assert.deepEqual(now, {
    when: {
      code: "afterInterrupt",
      text: "Immediately: the run is interrupted, everything is kept, and the team goes on.",
    },
    interrupts: [{ participant: "ann" }],
    seenBy: ["ann", "bob"],
    seenByManager: false,
  });
  assert.deepEqual(team.previewMessage(undefined, { delivery: "steer" }).when, {
    code: "atNextTurn",
    text: "At the next turn; no one is interrupted.",
  });
  assert.equal(team.previewMessage(undefined, { delivery: "queue" }).when.code, "afterRun");
  await end();
  for (const delivery of ["now", "steer", "queue"] as const)
    assert.deepEqual(team.previewMessage(undefined, { delivery }).when, {
      code: "now",
      text: "Immediately; the team starts.",
    });
});

test("a message to the whole team that is sent now would cancel every waiting call", async () => {
  const ann = new ScriptedModel(ask(call("c1", "pay")));
  const { team, ref } = testTeam({ speakers: { ann }, tools: [testTool("pay", () => "", { approval: "ask" })] });
  await team.run("t");

  const { when, cancels } = team.previewMessage(undefined, { delivery: "now" });
  assert.deepEqual(when, {
    code: "afterCancelling",
    text: "Immediately: the waiting call of pay is cancelled, and the team goes on.",
  });
  assert.deepEqual(cancels, [{ ref: ref("c1"), name: "pay", participant: "ann" }]);
  assert.equal(team.previewMessage(undefined).when.code, "blocked");
  assert.match(team.previewMessage(undefined, { delivery: "queue" }).when.text, /^When the waiting calls are decided/);
});

test("while a call waits for the user, a message would be rejected", async () => {
  const ann = new ScriptedModel(ask(call("c1", "pay")));
  const { team } = testTeam({ speakers: { ann }, tools: [testTool("pay", () => "", { approval: "ask" })] });
  await team.run("t");

  assert.deepEqual(team.previewMessage("ann").when, {
    code: "blocked",
    text: "Not yet: answer pay first.",
  });
});
