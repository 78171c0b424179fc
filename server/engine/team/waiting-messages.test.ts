import assert from "node:assert/strict";
import { test } from "node:test";
import type { GavelError } from "../../../shared/contract/errors.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";

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

test("after an interrupt a queued message waits until the team is resumed and that run has ended", async () => {
  const { run, let: letAnn } = team(2);
  const spoke = run.next("reasoning/start");
  const running = run.team.run("t");
  await spoke;
  const sending = send(run, say("later", "queue"));
  const stopping = run.team.interrupt();
  letAnn();
  await Promise.all([running, stopping]);
  assert.equal(run.team.state.queued.length, 1);

  const started = run.next("reasoning/start");
  const resumed = run.team.run();
  await started;
  letAnn();
  await resumed;
  await sending;

  assert.deepEqual(run.said().at(-2), "user: later");
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
