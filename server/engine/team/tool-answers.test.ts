import assert from "node:assert/strict";
import { test } from "node:test";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { microtasks } from "../testing/microtasks.ts";
import { aborted, ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, testTeam } from "../testing/test-team.ts";
import { type TestTool, testTool } from "../testing/test-tool.ts";

/** A team that waits for the user's decision on c1, c2 and c3, all of them calls of `pay`. */
async function waitingForThree(pay: TestTool, graceMs?: number) {
  const ann = new ScriptedModel(ask(call("c1", "pay", 1), call("c2", "pay", 2), call("c3", "pay", 3)), say("thanks"));
  const fixture = testTeam({
    speakers: { ann },
    tools: [pay],
    maxTurns: 1,
    ...(graceMs === undefined ? {} : { graceMs }),
  });
  await fixture.team.run("t");
  const shown = (): unknown[] =>
    ann.lastItems.flatMap((item) => (item.role === "tool" ? [[item.ref, item.output]] : []));
  const pending = (): string[] => fixture.team.state.pendingTools.map(({ ref }) => ref);
  return { ...fixture, ann, shown, pending };
}

const pay = (run: Parameters<typeof testTool>[1] = (input) => input): TestTool =>
  testTool("pay", run, { approval: "ask" });

test("answers that come one by one: the rest stay pending under the same refs, and results go in the order of the calls", async () => {
  const tool = pay((input) => `ran ${input}`);
  const { team, shown, pending, ann, ref, withIds } = await waitingForThree(tool);

  assert.deepEqual(withIds(await team.resolveTools({ respond: [{ ref: ref("c3"), output: "third" }] })), {
    remaining: ["c1", "c2"],
  });
  assert.deepEqual(withIds([pending(), team.state.status]), [["c1", "c2"], "awaitingTools"]);
  assert.deepEqual(withIds(await team.resolveTools({ restart: [{ ref: ref("c2") }] })), { remaining: ["c1"] });
  assert.equal(ann.requests.length, 1);
  const last = await team.resolveTools({ deny: [{ ref: ref("c1") }] });

  assert.deepEqual(last.remaining, []);
  assert.equal(last.result?.status.code, "success");
  assert.deepEqual(withIds(shown()), [
    ["c1", "The user denied this call."],
    ["c2", "ran 2"],
    ["c3", "third"],
  ]);
  assert.equal(tool.runs.length, 1);
});

test("after an answer that leaves calls pending, the next answer is accepted while the run is still ending", async () => {
  const { team, shown, ref, withIds } = await waitingForThree(pay());

  await team.resolveTools({ restart: [{ ref: ref("c1") }] });
  await team.resolveTools({ restart: [{ ref: ref("c2") }] });
  await team.resolveTools({ restart: [{ ref: ref("c3") }] });

  assert.deepEqual(withIds(shown()), [
    ["c1", 1],
    ["c2", 2],
    ["c3", 3],
  ]);
});

test("no answers, an unknown ref, a ref twice, or one that was answered already: an error, and nothing changes", async () => {
  const { team, events, pending, ref } = await waitingForThree(pay());
  const unchanged = async (answers: Parameters<typeof team.resolveTools>[0], code: string) => {
    const before = [events.length, pending()];
    await assert.rejects(
      team.resolveTools(answers),
      (error: { data?: { code?: string } }) => error.data?.code === code,
    );
    assert.deepEqual([events.length, pending()], before);
  };

  await unchanged({}, "InvalidParams");
  await unchanged({ respond: [], deny: [] }, "InvalidParams");
  await unchanged({ deny: [{ ref: ref("c1") }, { ref: "nope" }] }, "InvalidResume");
  await unchanged({ deny: [{ ref: ref("c1") }], respond: [{ ref: ref("c1"), output: 1 }] }, "InvalidResume");
  await team.resolveTools({ deny: [{ ref: ref("c1") }] });
  await unchanged({ deny: [{ ref: ref("c1") }] }, "InvalidResume");
  await unchanged({ deny: [{ ref: ref("c2") }, { ref: ref("c1") }] }, "InvalidResume");
});

test("an answer with nothing pending is InvalidResume", async () => {
  const { team, events } = testTeam({ speakers: { ann: () => "ann" } });

  await assert.rejects(team.resolveTools({ deny: [{ ref: "c1" }] }), {
    data: { code: "InvalidResume", refs: ["c1"], pending: [] },
  });
  assert.deepEqual(events, []);
});

test("two concurrent answers to one call: exactly one is accepted, and the tool runs once", async () => {
  const tool = pay();
  const { team, ref } = await waitingForThree(tool);
  await team.resolveTools({ deny: [{ ref: ref("c2") }, { ref: ref("c3") }] });

  const answers = await Promise.allSettled([
    team.resolveTools({ restart: [{ ref: ref("c1") }] }),
    team.resolveTools({ restart: [{ ref: ref("c1") }] }),
  ]);

  assert.deepEqual(
    answers.map(({ status }) => status),
    ["fulfilled", "rejected"],
  );
  assert.equal(tool.runs.length, 1);
});

test("a restart runs immediately, beside another one that is still running, and the last answer resolves when the run ends", async () => {
  const holds = [1, 2, 3].map(() => Promise.withResolvers<string>());
  const tool = pay((input) => holds[Number(input) - 1]?.promise);
  const { team, shown, next, ann, ref, withIds } = await waitingForThree(tool);

  const started = next("tool/started", 3);
  const first = team.resolveTools({ restart: [{ ref: ref("c1") }] });
  const second = team.resolveTools({ restart: [{ ref: ref("c2") }, { ref: ref("c3") }] });
  await started;
  assert.deepEqual(
    tool.runs.map(({ input }) => input),
    [1, 2, 3],
  );
  holds[2]?.resolve("three");
  holds[1]?.resolve("two");
  const ran = next("tool/executed");
  await ran;
  assert.equal(ann.requests.length, 1);
  holds[0]?.resolve("one");

  assert.equal((await second).result?.status.code, "success");
  assert.deepEqual((await first).remaining, []);
  assert.deepEqual(withIds(shown()), [
    ["c1", "one"],
    ["c2", "two"],
    ["c3", "three"],
  ]);
});

test("an answer at any moment around the end of another's tool is awaited before the turn continues", async () => {
  for (let step = 0; step < 30; step++) {
    const tool = pay(async (input) => {
      if (input === 3) await microtasks(10);
      return input;
    });
    const { team, shown, ann, next, ref, withIds } = await waitingForThree(tool);
    await team.resolveTools({ deny: [{ ref: ref("c2") }] });
    const ended = next("tool/executed").then(() => microtasks(step));

    const first = team.resolveTools({ restart: [{ ref: ref("c1") }] });
    await ended;
    await team.resolveTools({ restart: [{ ref: ref("c3") }] });
    await first;

    assert.deepEqual(
      withIds(shown()),
      [
        ["c1", 1],
        ["c2", "The user denied this call."],
        ["c3", 3],
      ],
      `${step} steps`,
    );
    assert.equal(conversationProblem(ann.lastItems), undefined);
    assert.equal(ann.requests.length, 2);
  }
});

test("a run is rejected while the tools of an answer run, and an interrupt reaches them", async () => {
  const tool = pay((_, { signal }) => aborted(signal).then(() => "stopped"));
  const { team, shown, next, ref, withIds } = await waitingForThree(tool);
  const started = next("tool/started");
  const answered = team.resolveTools({ restart: [{ ref: ref("c1") }], deny: [{ ref: ref("c2") }, { ref: ref("c3") }] });
  await started;

  await assert.rejects(team.run(), { data: { code: "TeamBusy", teamId: "team-1" } });
  const receipt = await team.interrupt();
  assert.deepEqual([receipt.wasRunning, receipt.status], [true, "paused"]);
  assert.equal((await answered).result?.stopReason, "USER_INTERRUPT");

  await team.run();
  assert.deepEqual(withIds(shown()[0]), ["c1", "stopped"]);
});

test("a restarted tool that ignores the signal is abandoned, and its late result is used", async () => {
  const hold = Promise.withResolvers<string>();
  const { team, shown, next, ref, withIds } = await waitingForThree(
    pay(() => hold.promise),
    1,
  );
  const started = next("tool/started");
  const answered = team.resolveTools({ restart: [{ ref: ref("c2") }], deny: [{ ref: ref("c1") }, { ref: ref("c3") }] });
  await started;

  const receipt = await team.interrupt();
  assert.deepEqual(withIds(receipt.abandonedTools), [
    { ref: "c2", name: "pay", participant: "ann", mayHaveHadEffects: true },
  ]);
  await answered;
  const late = next("tool/executed");
  hold.resolve("late");
  await late;
  await team.run();

  assert.deepEqual(withIds(shown()[1]), ["c2", "late"]);
});

test("a directed message that stops for a tool continues after the answer with the requested `then`", async () => {
  for (const then of ["pause", "continue"] as const) {
    const ann = new ScriptedModel(ask(call("c1", "pay")), say("paid"));
    const { team, said, ref } = testTeam({
      speakers: { bob: () => "bob", ann },
      tools: [pay()],
      termination: { maxMessages: 3 },
    });

    assert.equal((await team.sendUserMessage("ann", ["pay"], afterReply(then))).stopReason, "TOOL_INTERRUPT");
    const { result } = await team.resolveTools({ restart: [{ ref: ref("c1") }] });

    const whole = ["user: pay", "ann: paid", "bob: bob"];
    assert.deepEqual(said(), then === "pause" ? whole.slice(0, 2) : whole);
    assert.match(result?.stopReason ?? "", then === "pause" ? /^USER_MESSAGE_COMPLETED$/ : /^Maximum number/);
  }
});
