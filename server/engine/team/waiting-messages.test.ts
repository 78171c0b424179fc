import assert from "node:assert/strict";
import { test } from "node:test";
import type { GavelError } from "../../../shared/contract/errors.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { afterReply, type TestTeam, testTeam } from "../testing/test-team.ts";

/** A team in which ann and bob take turns, and ann's turns wait for the test. */
function team(maxTurns = 4): { run: TestTeam; let: () => void } {
  const gates: (() => void)[] = [];
  const run = testTeam({
    speakers: {
      ann: () => new Promise((resolve) => gates.push(() => resolve("ann"))),
      bob: () => "bob",
    },
    maxTurns,
  });
  return { run, let: () => gates.shift()?.() };
}

const say = (text: string, delivery: "queue" | "steer", to = "bob") => ({ text, delivery, to });

function send(
  { team }: TestTeam,
  { text, delivery, to }: ReturnType<typeof say>,
  then: "continue" | "pause" = "pause",
) {
  return team.sendUserMessage(to, [text], { delivery, then });
}

test("a steering message is delivered at the target's next turn, and no one is interrupted for it", async () => {
  const { run, let: letAnn } = team(2);
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t");
  await spoke;

  const sending = send(run, say("Be brief", "steer"));
  assert.deepEqual(
    run.team.state.queued.map(({ to, messages, delivery }) => ({ to, messages, delivery })),
    [{ to: "bob", messages: ["Be brief"], delivery: "steer" }],
  );
  letAnn();
  const [sent, result] = await Promise.all([sending, running]);

  assert.equal(sent.stopReason, "USER_MESSAGE_COMPLETED");
  assert.equal(result.status.code, "success");
  assert.deepEqual(run.said(), ["user: t", "ann: ann", "user: Be brief", "bob: bob"]);
  assert.deepEqual(
    run.types().filter((type) => type.startsWith("userMessage/")),
    ["userMessage/queued", "userMessage/delivered", "userMessage/answered"],
  );
  assert.deepEqual(run.team.state.queued, []);
});

test("a queued message is delivered when the run has ended on its own, and its target answers", async () => {
  const { run, let: letAnn } = team(2);
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t");
  await spoke;

  const sending = send(run, say("One more thing", "queue"));
  letAnn();
  const result = await running;
  const sent = await sending;

  assert.equal(result.stopReason, "Maximum number of turns 2 reached.");
  assert.equal(sent.stopReason, "USER_MESSAGE_COMPLETED");
  assert.deepEqual(
    sent.messages.map(({ content }) => content),
    ["One more thing", "bob"],
  );
  assert.deepEqual(run.said().slice(3), ["user: One more thing", "bob: bob"]);
});

test("several waiting messages are delivered in order, each once", async () => {
  const { run, let: letAnn } = team(2);
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t");
  await spoke;
  const sending = [send(run, say("one", "queue")), send(run, say("two", "queue")), send(run, say("three", "queue"))];

  letAnn();
  await running;
  await Promise.all(sending);

  assert.deepEqual(
    run.said().filter((line) => line.startsWith("user: ")),
    ["user: t", "user: one", "user: two", "user: three"],
  );
});

test("waiting messages can be edited, reordered and withdrawn; the sender of a withdrawn one is notified", async () => {
  const { run, let: letAnn } = team(2);
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t");
  await spoke;
  const sending = [send(run, say("one", "queue")), send(run, say("two", "queue")), send(run, say("three", "queue"))];
  const [one = "", two = "", three = ""] = run.team.state.queued.map(({ id }) => id);

  run.team.changeQueue({
    edit: { id: one, messages: ["ONE"] },
    withdraw: [two],
    order: [three, one, two],
  });
  letAnn();
  await running;
  const results = await Promise.all(sending);

  assert.deepEqual(
    results.map(({ stopReason }) => stopReason),
    ["USER_MESSAGE_COMPLETED", "CANCELLED", "USER_MESSAGE_COMPLETED"],
  );
  assert.deepEqual(
    run.said().filter((line) => line.startsWith("user: ")),
    ["user: t", "user: three", "user: ONE"],
  );
  assert.deepEqual(run.folded(), run.team.state);
});

test("a change of a message that does not wait is rejected, and nothing changes", async () => {
  const { run, let: letAnn } = team(2);
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t");
  await spoke;
  const sending = send(run, say("one", "queue"));
  const [one = ""] = run.team.state.queued.map(({ id }) => id);

  assert.throws(
    () => run.team.changeQueue({ withdraw: [one, "another"] }),
    (error: GavelError) => error.data.code === "InvalidParams" && /no message another is waiting/.test(error.message),
  );
  assert.equal(run.team.state.queued.length, 1);
  letAnn();
  await Promise.all([running, sending]);
});

type Stop = (run: TestTeam, letAnn: (reply: string | Error) => void) => void;

const interrupted: Stop = ({ team }, letAnn) => {
  void team.interrupt();
  letAnn("too late");
};

/** A run in which ann speaks, with messages that wait, one in each way; `stop` then ends it. */
async function stoppedWhileWaiting(stop: Stop, maxTurns = 2) {
  const gate = Promise.withResolvers<string>();
  let isFirst = true;
  const run = testTeam({
    speakers: {
      ann: () => {
        if (!isFirst) return "ann";
        isFirst = false;
        return gate.promise;
      },
      bob: (thread) => `bob on ${thread.at(-1)?.content}`,
    },
    maxTurns,
  });
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t");
  await spoke;
  const sending = [send(run, say("later", "queue")), send(run, say("Be brief", "steer"))];
  const ids = run.team.state.queued.map(({ id }) => id);
  stop(run, (reply) => (typeof reply === "string" ? gate.resolve(reply) : gate.reject(reply)));
  return { run, ids, result: await running, answers: await Promise.all(sending) };
}

test("after an interrupt the requests of waiting messages are answered at once, and say that the messages wait", async () => {
  const { run, ids, result, answers } = await stoppedWhileWaiting(interrupted);

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(
    answers.map(({ runId, messages, stopReason, status, waiting }) => [runId, messages, stopReason, status, waiting]),
    [
      [
        result.runId,
        [],
        "USER_INTERRUPT",
        {
          code: "interrupted",
          reason: "external_interrupt",
          message: "The message to bob was not delivered in this run. It waits, and is delivered in the next run.",
        },
        ids[0],
      ],
      [
        result.runId,
        [],
        "USER_INTERRUPT",
        {
          code: "interrupted",
          reason: "external_interrupt",
          message: "The message to bob was not delivered in this run. It waits for bob's next turn.",
        },
        ids[1],
      ],
    ],
  );
  assert.deepEqual(
    run.team.state.queued.map(({ id }) => id),
    ids,
  );
});

test("after a failed run and after the hard stop the requests of waiting messages are answered at once", async () => {
  const failed = await stoppedWhileWaiting((_, letAnn) => letAnn(new Error("no such model")));
  assert.deepEqual(
    failed.answers.map(({ status, waiting }) => [status.code, waiting]),
    failed.ids.map((id) => ["error", id]),
  );

  const controller = new AbortController();
  const { run, let: letAnn } = team(2);
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t", { signal: controller.signal });
  await spoke;
  const sending = send(run, say("later", "queue"));
  controller.abort();
  letAnn();
  assert.deepEqual([(await running).stopReason, (await sending).status.code], ["CANCELLED", "cancelled"]);
});

test("a message that no turn of its target has picked up is answered when the run ends, and waits for the next", async () => {
  const { run, let: letAnn } = team(1);
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t");
  await spoke;
  const sending = send(run, say("Be brief", "steer"));
  letAnn();
  await running;
  const { stopReason, status, waiting } = await sending;
  assert.deepEqual([stopReason, status.code], ["Maximum number of turns 1 reached.", "success"]);
  assert.equal(waiting, run.team.state.queued[0]?.id);

  await run.team.run();

  assert.deepEqual(run.said(), ["user: t", "ann: ann", "user: Be brief", "bob: bob"]);
});

for (const [how, stop] of [
  ["an interrupt", interrupted],
  ["a failure", (_, letAnn) => letAnn(new Error("no such model"))],
] as const satisfies [string, Stop][]) {
  test(`after ${how} a queued message is delivered in the next run, once who was cut short has spoken`, async () => {
    const { run } = await stoppedWhileWaiting(stop, 3);

    const next = await run.team.run();

    assert.deepEqual(run.said().slice(0, 5), [
      "user: t",
      "ann: ann",
      "user: later",
      "user: Be brief",
      "bob: bob on Be brief",
    ]);
    assert.equal(next.status.code, "success");
    assert.deepEqual(run.team.state.queued, []);
    assert.deepEqual(run.team.state.due ?? [], []);
    assert.deepEqual(run.folded(), run.team.state);
  });
}

test("the task of the next run comes before a message that waited, and the run goes on after its answer", async () => {
  const { run } = await stoppedWhileWaiting(interrupted, 3);

  const { messages } = await run.team.run("another task");

  assert.deepEqual(
    messages.slice(0, 5).map(({ source, content }) => `${source}: ${content}`),
    ["user: another task", "user: later", "user: Be brief", "bob: bob on Be brief", "ann: ann"],
  );
});

test("a message that is sent now is answered before one that waited", async () => {
  const { run } = await stoppedWhileWaiting(interrupted, 4);

  const now = await run.team.sendUserMessage("ann", ["At once"], afterReply("pause"));
  assert.deepEqual(now.stopReason, "USER_MESSAGE_COMPLETED");
  await run.next("run/ended");

  assert.deepEqual(
    run.said().filter((line) => !line.startsWith("bob")),
    ["user: t", "user: At once", "ann: ann", "user: later", "user: Be brief"],
  );
});

test("an interrupt that resets the team withdraws the messages that wait, and their requests say so", async () => {
  const { run, answers } = await stoppedWhileWaiting(({ team }, letAnn) => {
    void team.interrupt({ severity: "reset" });
    letAnn("too late");
  });
  assert.deepEqual(
    answers.map(({ stopReason, status }) => [stopReason, status.reason]),
    [
      ["CANCELLED", "withdrawn"],
      ["CANCELLED", "withdrawn"],
    ],
  );
  assert.deepEqual(run.team.state.queued, []);
});

test("a waiting message survives a restart, and is delivered once", async () => {
  const { run } = team(2);
  const spoke = run.next("reasoning/start");
  void run.team.run("t");
  await spoke;
  void send(run, say("later", "steer"));

  const again = run.reopened({ speakers: { ann: () => "ann", bob: () => "bob" } });
  again.team.recover();
  await again.team.run();

  assert.deepEqual(again.said(), ["user: t", "ann: ann", "user: later", "bob: bob"]);
  assert.equal(again.events.filter(({ type }) => type === "userMessage/answered").length, 1);
});

test("interrupted while the target answers: the sender is notified, and the answer comes when the run continues", async () => {
  const gate = Promise.withResolvers<string>();
  const run = testTeam({
    speakers: {
      ann: () => gate.promise,
      bob: () => "bob",
    },
    maxTurns: 2,
  });
  const interrupting = interruptAt(run.team, "reasoning/start", 2);
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t");
  await spoke;
  const sending = send(run, say("Be brief", "steer"));
  gate.resolve("ann");
  await Promise.all([running, interrupting]);
  assert.equal((await sending).stopReason, "USER_INTERRUPT");

  await run.team.run();

  assert.deepEqual(run.said(), ["user: t", "ann: ann", "user: Be brief", "bob: bob"]);
  assert.equal(run.events.filter(({ type }) => type === "userMessage/answered").length, 1);
});
