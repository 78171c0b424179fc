import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import type { GavelError } from "../../../shared/contract/errors.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import type { ReplyFunction } from "../participants/function-participant.ts";
import { interruptAt } from "../testing/interrupt-at.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, names, TEAM_ID, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const lab = (more: Partial<ParticipantDefinition["team"]> = {}, kind: "team" | "societyOfMind" = "team") => ({
  name: "lab",
  kind,
  team: {
    name: "Lab",
    kind: "roundRobin" as const,
    participants: [
      { name: "eve", model: "eve" },
      { name: "dan", model: "dan" },
    ],
    maxTurns: 2,
    ...more,
  },
});

/** ann and a nested team of eve and dan take turns; each says its name and how often it has spoken. */
function team(options: Partial<TestTeamOptions> = {}): TestTeam {
  const said: Record<string, number> = {};
  const speaker =
    (name: string): ReplyFunction =>
    () => {
      said[name] = (said[name] ?? 0) + 1;
      return `${name} ${said[name]}`;
    };
  return testTeam({
    speakers: { ann: speaker("ann"), eve: speaker("eve"), dan: speaker("dan") },
    participants: [{ name: "ann" }, lab()],
    maxTurns: 2,
    ...options,
  });
}

const within = ({ team: { state } }: TestTeam): string[] =>
  (state.inner?.["lab"]?.thread ?? []).map(
    (message) => `${message.source}: ${message.content}${message.partial ? "…" : ""}`,
  );

const lines = ({ messages }: TaskResult): string[] => messages.map(({ source, content }) => `${source}: ${content}`);

test("a message to a participant of a nested team is in that team's thread, and only that participant answers", async () => {
  const run = team();
  const answer = await run.team.sendUserMessage("lab/dan", ["Why?"], afterReply("pause"));

  assert.deepEqual([answer.stopReason, lines(answer)], ["USER_MESSAGE_COMPLETED", ["user: Why?", "dan: dan 1"]]);
  assert.deepEqual([run.said(), within(run)], [[], ["user: Why?", "dan: dan 1"]]);
  assert.deepEqual(
    run.events.flatMap((event) =>
      event.type === "userMessage/delivered" || event.type === "userMessage/answered"
        ? [[event.type, event.to, event.path]]
        : [],
    ),
    [
      ["userMessage/delivered", "dan", ["lab"]],
      ["userMessage/answered", "dan", ["lab"]],
    ],
  );
  assert.equal(run.team.state.status, "paused");
  assert.deepEqual(run.folded(), run.team.state);
});

test("after the answer the team goes on as usual, or waits", async () => {
  const paused = team();
  await paused.team.run("t");
  assert.deepEqual(within(paused), ["user: t", "ann: ann 1", "eve: eve 1", "dan: dan 1"]);
  await paused.team.sendUserMessage("lab/eve", ["Why?"], afterReply("pause"));
  assert.deepEqual(within(paused).slice(4), ["user: Why?", "eve: eve 2"]);
  assert.equal(paused.said().length, 3);

  const goesOn = team({ maxTurns: 3 });
  const answer = await goesOn.team.sendUserMessage("lab/eve", ["Why?"]);
  assert.deepEqual(lines(answer), ["user: Why?", "eve: eve 1"]);
  await goesOn.next("run/ended");
  assert.equal(goesOn.said()[0], "ann: ann 1");
});

test("an unknown name within is an error that lists who can be addressed", async () => {
  const run = team();
  for (const to of ["lab/bob", "dan", "lab/", "ann/dan"]) {
    await assert.rejects(run.team.sendUserMessage(to, ["Why?"]), ({ data }: GavelError) => {
      assert.deepEqual([data.code, data["known"]], ["UnknownParticipant", ["ann", "lab", "lab/eve", "lab/dan"]]);
      return true;
    });
  }
});

test("a participant two teams down can be addressed", async () => {
  const deep = {
    name: "outer",
    kind: "team" as const,
    team: { ...lab().team, participants: [{ name: "ann" }, lab()] },
  };
  const run = team({ participants: [{ name: "ann" }, deep] });
  const answer = await run.team.sendUserMessage("outer/lab/dan", ["Why?"], afterReply("pause"));
  assert.deepEqual(lines(answer), ["user: Why?", "dan: dan 1"]);
  assert.equal(run.types().filter((type) => type === "userMessage/answered").length, 1);
});

test("while the nested team speaks, a message steers at the next turn of its target, and one that is queued comes after", async () => {
  const gate = Promise.withResolvers<string>();
  const run = testTeam({
    speakers: { ann: () => "ann", eve: () => gate.promise, dan: (thread) => `dan on ${thread.at(-1)?.content}` },
    participants: [{ name: "ann" }, lab()],
    maxTurns: 2,
  });
  const spoke = run.next("reasoning/start", 3);
  const running = run.team.run("t");
  await spoke;
  const steered = run.team.sendUserMessage("lab/dan", ["Be brief"], { delivery: "steer" });
  const queued = run.team.sendUserMessage("lab/dan", ["And now?"], { delivery: "queue", ...afterReply("pause") });
  assert.deepEqual(
    run.team.state.queued.map(({ to }) => to),
    ["lab/dan", "lab/dan"],
  );
  gate.resolve("eve");
  await running;
  assert.deepEqual(
    (await Promise.all([steered, queued])).map(({ stopReason }) => stopReason),
    ["USER_MESSAGE_COMPLETED", "USER_MESSAGE_COMPLETED"],
  );
  assert.deepEqual(within(run).slice(2), [
    "eve: eve",
    "user: Be brief",
    "dan: dan on Be brief",
    "user: And now?",
    "dan: dan on And now?",
  ]);
  assert.deepEqual(run.team.state.queued, []);
  assert.deepEqual(run.folded(), run.team.state);
});

test("a running nested team is interrupted first, and its speaker who was cut short goes on after the answer", async () => {
  const run = testTeam({
    speakers: {
      ann: new ScriptedModel(say("ann")),
      eve: new ScriptedModel(say("one ", "two ", "three"), say("eve goes on")),
      dan: new ScriptedModel(say("dan answers"), say("dan")),
    },
    participants: [lab(), { name: "ann", model: "ann" }],
    maxTurns: 2,
  });
  let sending: Promise<TaskResult> | undefined;
  const unlisten = run.team.onEvent((event) => {
    if (event.type !== "message/chunk" || event.delta !== "two ") return;
    unlisten();
    sending = run.team.sendUserMessage("lab/dan", ["Why?"]);
  });
  const result = await run.team.run("t");
  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(lines((await sending) as TaskResult), ["user: Why?", "dan: dan answers"]);
  await run.next("run/ended", 2);
  assert.deepEqual(within(run).slice(0, 5), [
    "user: t",
    "eve: one two …",
    "user: Why?",
    "dan: dan answers",
    "eve: eve goes on",
  ]);
});

test("an answer that an interrupt cut short is given by the next run, before anything else", async () => {
  const run = testTeam({
    speakers: { ann: () => "ann", eve: () => "eve", dan: new ScriptedModel(say("half ", "an answer"), say("whole")) },
    participants: [{ name: "ann" }, lab()],
    maxTurns: 3,
  });
  const interrupting = interruptAt(run.team, "message/chunk", 1);
  const answer = await run.team.sendUserMessage("lab/dan", ["Why?"], afterReply("pause"));
  await interrupting;
  assert.equal(answer.stopReason, "USER_INTERRUPT");

  assert.equal((await run.team.run()).stopReason, "USER_MESSAGE_COMPLETED");
  assert.deepEqual([run.said(), within(run)], [[], ["user: Why?", "dan: half …", "dan: whole"]]);
  assert.equal(run.types().filter((type) => type === "userMessage/answered").length, 1);
});

test("an answer that needs an approval comes after the decision, and the team then does what the message said", async () => {
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const run = testTeam({
    speakers: { ann: () => "ann", eve: () => "eve", dan: new ScriptedModel(ask(call("c1", "pay")), say("paid it")) },
    participants: [
      { name: "ann" },
      lab({
        participants: [
          { name: "eve", model: "eve" },
          { name: "dan", model: "dan", tools: ["pay"] },
        ],
      }),
    ],
    tools: [pay],
  });
  const asked = await run.team.sendUserMessage("lab/dan", ["Pay"], afterReply("pause"));
  assert.equal(asked.stopReason, "TOOL_INTERRUPT");
  const { result } = await run.team.resolveTools({ restart: [{ ref: run.ref("c1") }] });
  assert.equal(result?.stopReason, "USER_MESSAGE_COMPLETED");
  assert.deepEqual([run.said(), within(run)], [[], ["user: Pay", "dan: paid it"]]);
});

test("a condition of the nested team that the message fires ends the run, and no one answers", async () => {
  const run = team({ participants: [{ name: "ann" }, lab({ termination: { textMention: { text: "STOP" } } })] });
  const answer = await run.team.sendUserMessage("lab/dan", ["STOP now"]);
  assert.deepEqual([answer.stopReason, lines(answer)], ["Text 'STOP' mentioned", ["user: STOP now"]]);
  assert.deepEqual(within(run), ["user: STOP now"]);
});

test("without an answer in time the request is closed, and the team can go on", async () => {
  const run = team({
    speakers: {
      ann: () => "ann",
      eve: () => "eve",
      dan: (_, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("too late"))),
    },
  });
  const answer = await run.team.sendUserMessage("lab/dan", ["Why?"], { timeoutMs: 20 });
  assert.deepEqual(
    [answer.stopReason, answer.status.message],
    ["USER_MESSAGE_TIMEOUT", "lab/dan did not answer in time."],
  );
});

test("a member of a society of mind can be addressed, and its discussion is kept", async () => {
  const run = testTeam({
    speakers: { ann: () => "ann", eve: () => "eve", dan: () => "dan", lab: new ScriptedModel() },
    participants: [{ name: "ann" }, { ...lab({}, "societyOfMind"), model: "lab" }],
    maxTurns: 3,
  });
  const answer = await run.team.sendUserMessage("lab/dan", ["Why?"], afterReply("pause"));
  assert.deepEqual(
    [lines(answer), within(run)],
    [
      ["user: Why?", "dan: dan"],
      ["user: Why?", "dan: dan"],
    ],
  );
});

test("the preview of a message to a participant within says who in its team will see it", () => {
  const { seenBy, when } = team().team.previewMessage("lab/dan");
  assert.deepEqual([seenBy, when.text], [["eve", "dan"], "Immediately; only lab/dan answers."]);
});

/** A host with a message that waits for ann's turn to end, and one that waits for dan's next turn. */
async function withWaiting(): Promise<TestTeam> {
  const gate = Promise.withResolvers<string>();
  const run = team({ speakers: { ann: () => gate.promise, eve: () => "eve", dan: () => "dan" } });
  void run.team.run("t");
  await run.next("reasoning/start");
  void run.team.sendUserMessage("lab/dan", ["And then?"], { delivery: "queue" });
  void run.team.sendUserMessage("lab/dan", ["Be brief"], { delivery: "steer" });
  return run;
}

test("messages that wait for a participant of a nested team survive a restart of the host", async () => {
  const again = (await withWaiting()).reopened({ speakers: names("ann", "eve", "dan") });
  again.team.recover();
  assert.deepEqual(
    again.team.state.queued.map(({ to, messages }) => [to, ...messages]),
    [
      ["lab/dan", "And then?"],
      ["lab/dan", "Be brief"],
    ],
  );
  await again.team.run();
  assert.deepEqual(again.team.state.queued, []);
});

test("a new definition keeps the messages for those that it has, and withdraws the others", async () => {
  const run = await withWaiting();
  void run.team.sendUserMessage("lab/eve", ["And you?"], { delivery: "queue" });
  await run.team.interrupt({ severity: "pause" });
  const participants = [{ name: "ann" }, lab({ participants: [{ name: "dan", model: "dan" }] })];
  run.team.beforeRedefinition({ ...run.definition, participants });
  assert.deepEqual(
    run.team.state.queued.map(({ to }) => to),
    ["lab/dan", "lab/dan"],
  );
});

/** dan was interrupted in the answer to a message. */
async function withHalfAnswer(to: string, participants: readonly ParticipantDefinition[]): Promise<TestTeam> {
  const cut = (): ScriptedModel => new ScriptedModel(say("half ", "an answer"), say("whole"));
  const run = testTeam({ speakers: { ann: () => "ann", eve: () => "eve answers", dan: cut() }, participants });
  const interrupting = interruptAt(run.team, "message/chunk", 1);
  await run.team.sendUserMessage(to, ["Why?"], afterReply("pause"));
  await interrupting;
  return run;
}

test("after an interrupted answer, a message to another one is answered by that one", async () => {
  const run = await withHalfAnswer("lab/dan", [{ name: "ann" }, lab()]);
  const answer = await run.team.sendUserMessage("lab/eve", ["And you?"], afterReply("pause"));
  assert.deepEqual(
    [answer.stopReason, lines(answer)],
    ["USER_MESSAGE_COMPLETED", ["user: And you?", "eve: eve answers"]],
  );
});

test("after an interrupted answer of a nested team, a message to one of its participants is answered by that one", async () => {
  const run = await withHalfAnswer("lab", [
    { name: "ann" },
    lab({
      participants: [
        { name: "dan", model: "dan" },
        { name: "eve", model: "eve" },
      ],
    }),
  ]);
  const answer = await run.team.sendUserMessage("lab/eve", ["And you?"], afterReply("pause"));
  assert.deepEqual(lines(answer), ["user: And you?", "eve: eve answers"]);
});

test("an answer that was interrupted is not waited for when its participant has left the nested team", async () => {
  const run = await withHalfAnswer("lab/dan", [{ name: "ann" }, lab()]);
  const participants = [{ name: "ann" }, lab({ participants: [{ name: "eve", model: "eve" }] })];
  const definition = { ...run.definition, participants };
  run.team.beforeRedefinition(definition);
  const again = run.reopened({ participants, stored: run.journal.stored(TEAM_ID, definition), maxTurns: 3 });
  again.team.recover();
  assert.equal((await again.team.run()).status.code, "success");
  const answer = await again.team.sendUserMessage("lab/eve", ["And you?"], afterReply("pause"));
  assert.deepEqual(lines(answer), ["user: And you?", "eve: eve answers"]);
});

/** A nested team in which it is the user's turn. */
async function waitingForUser(dan: ScriptedModel | ReplyFunction): Promise<TestTeam> {
  const members: ParticipantDefinition[] = [
    { name: "me", kind: "user" },
    { name: "dan", model: "dan" },
  ];
  const run = team({
    speakers: { ann: () => "ann", dan },
    participants: [lab({ participants: members, maxTurns: 3 }), { name: "ann" }],
    maxTurns: 3,
  });
  assert.equal((await run.team.run("t")).stopReason, "USER_INPUT_REQUESTED");
  return run;
}

for (const then of ["pause", "continue"] as const) {
  test(`while a nested team waits for the user, one of its participants can be asked: then ${then}`, async () => {
    const run = await waitingForUser((thread) => `dan on ${thread.at(-1)?.content}`);
    const answer = await run.team.sendUserMessage("lab/dan", ["Why?"], { then });
    assert.deepEqual(lines(answer), ["user: Why?", "dan: dan on Why?"]);
    if (then === "continue") await run.next("run/ended");
    assert.deepEqual(run.team.state.awaitingUser, { participant: "me", path: ["lab"] });
    const again = run.reopened();
    again.team.recover();
    await again.team.run("Mine");
    assert.deepEqual(within(again).slice(2), ["dan: dan on Why?", "me: Mine", "dan: dan on Mine"]);
    assert.deepEqual(again.said(), ["user: t", "lab: dan on Mine", "ann: ann"]);
  });
}

test("when such an answer ends the nested team's run, the user's turn in it is over", async () => {
  const run = await waitingForUser(() => "dan");
  for (const question of ["Why?", "When?", "Where?"]) {
    assert.deepEqual(run.team.state.awaitingUser, { participant: "me", path: ["lab"] });
    await run.team.sendUserMessage("lab/dan", [question], afterReply("pause"));
  }
  const { awaitingUser, openTurns, inner } = run.team.state;
  assert.deepEqual([awaitingUser, openTurns, inner?.["lab"]?.awaitingUser], [undefined, [], undefined]);
  assert.equal((await run.team.run()).status.code, "success");
});

test("an interrupt of such an answer leaves the user's turn, and nothing else, open", async () => {
  const run = await waitingForUser(new ScriptedModel(say("half ", "an answer"), say("whole")));
  const interrupting = interruptAt(run.team, "message/chunk", 1);
  await run.team.sendUserMessage("lab/dan", ["Why?"], afterReply("pause"));
  await interrupting;
  const { openTurns, awaitingUser } = run.team.state;
  assert.deepEqual(awaitingUser, { participant: "me", path: ["lab"] });
  assert.deepEqual(
    openTurns.map(({ participant, awaits }) => [participant, awaits?.participant]),
    [["lab", "me"]],
  );
  await run.team.run("Mine");
  assert.deepEqual(within(run).slice(2), ["dan: half …", "me: Mine", "dan: whole"]);
});

test("a message to a participant that waits for the user already opens no second turn, and the user's words answer it", async () => {
  const nested = await waitingForUser(() => "dan");
  await nested.team.sendUserMessage("lab", ["Well?"], afterReply("pause"));
  assert.equal(nested.team.state.openTurns.length, 1);
  await nested.team.run("Mine");
  assert.deepEqual(within(nested), ["user: t", "user: Well?", "me: Mine", "dan: dan"]);
  await nested.team.run("Enough");
  assert.deepEqual(nested.said(), ["user: t", "user: Well?", "lab: Enough", "ann: ann"]);

  const graph = testTeam({
    kind: "graph",
    speakers: names("ann", "cid"),
    participants: [{ name: "ann" }, { name: "me", kind: "user" }, { name: "cid" }],
    graph: {
      edges: [
        { from: "ann", to: "me" },
        { from: "me", to: "cid" },
      ],
    },
  });
  await graph.team.run("t");
  await graph.team.sendUserMessage("me", ["Well?"], afterReply("pause"));
  assert.equal((await graph.team.run("Mine")).stopReason, "The graph is complete.");
  assert.deepEqual(graph.said(), ["user: t", "ann: ann", "user: Well?", "me: Mine", "cid: cid"]);
  assert.equal(graph.types().filter((type) => type === "userMessage/answered").length, 1);
});
