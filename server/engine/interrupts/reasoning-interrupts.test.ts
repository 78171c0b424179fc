import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelError } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ReasoningReason, ReasoningRequest } from "../../../shared/contract/reasoning.ts";
import { createTeam } from "../create-team.ts";
import { FunctionParticipant } from "../participants/function-participant.ts";
import type { Participant, ReasoningAnswer } from "../participants/participant.ts";
import type { Team } from "../team/team.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { ManualTimers } from "../testing/manual-timers.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, names, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

const eventsOf = <T extends TeamEvent["type"]>({ events }: Pick<TestTeam, "events">, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

const conclusions = (fixture: TestTeam) =>
  eventsOf(fixture, "reasoning/conclusion").map(({ from, interrupted = false, message }) => ({
    from,
    interrupted,
    message,
  }));

const request = (
  turn: string,
  reason: ReasoningReason,
  more: Partial<ReasoningRequest> & { message?: string } = {},
): ReasoningRequest => {
  const { message, ...rest } = more;
  return {
    from: "user",
    to: ["ann"],
    correlation_id: [turn],
    payload: { reason, ...(message === undefined ? {} : { message }) },
    ...rest,
  };
};

/** The turn that was started last. */
async function begun(fixture: TestTeam): Promise<string> {
  const event = await fixture.next("reasoning/start");
  assert.ok(event.type === "reasoning/start");
  return event.id;
}

/** Ann in her first thought, which ends when `finish` is called, asks for a tool, and then would speak; then bob. */
function thinking(options: Partial<TestTeamOptions> = {}) {
  const hold = Promise.withResolvers<void>();
  const look = testTool("look");
  const ann = new ScriptedModel(
    [...say("let me "), { type: "wait", until: hold.promise }, ...say("look"), ...ask(call("1", "look"))],
    say("second"),
    say("third"),
  );
  const bob = new ScriptedModel(say("bob"));
  const fixture = testTeam({ speakers: { ann, bob }, tools: [look], maxTurns: 2, graceMs: 1, ...options });
  return { fixture, ann, bob, look, finish: hold.resolve };
}

test("stopping: nothing comes after the current thought, and the run pauses", async () => {
  for (const reason of ["timeout", "error", "user_request", "resource_limit"] as const) {
    const { fixture, ann, bob, look, finish } = thinking();
    const turn = begun(fixture);
    const run = fixture.team.run("t");
    const id = await turn;
    await fixture.next("message/chunk");

    const ack = await fixture.team.interruptReasoning(request(id, reason));
    finish();
    const result = await run;

    assert.equal(ack.payload.status, "stopping");
    assert.equal(result.stopReason, "USER_INTERRUPT");
    assert.deepEqual([ann.requests.length, look.runs.length, bob.requests.length], [1, 0, 0], reason);
    assert.deepEqual(
      eventsOf(fixture, "reasoning/thought").map(({ from }) => from),
      ["ann"],
    );
    const message = `user interrupted this reasoning: ${reason}.`;
    assert.deepEqual(conclusions(fixture), [{ from: "ann", interrupted: true, message }]);
    assert.equal(fixture.team.state.status, "paused");
    assert.deepEqual(fixture.team.state, fixture.folded());

    const resumed = await fixture.team.run();
    assert.deepEqual(
      resumed.messages.map(({ source }) => source),
      ["ann", "bob"],
    );
    for (const { items } of ann.requests) assert.equal(conversationProblem(items), undefined);
  }
});

test("the acknowledgement comes before the thought has ended, and both messages are events that name each other", async () => {
  const { fixture, finish } = thinking();
  const turn = begun(fixture);
  const run = fixture.team.run("t");
  const id = await turn;

  const ack = await fixture.team.interruptReasoning(request(id, "other", { message: "lunch" }));
  assert.equal(fixture.types().includes("reasoning/thought"), false);
  finish();
  await run;

  const [asked] = eventsOf(fixture, "reasoning/interrupt");
  const [acknowledged] = eventsOf(fixture, "reasoning/interrupt-ack");
  assert.deepEqual(
    [asked?.from, asked?.to, asked?.correlation_id, asked?.payload],
    ["user", ["ann"], [id], { reason: "other", message: "lunch" }],
  );
  assert.deepEqual(ack.correlation_id, [asked?.id]);
  assert.deepEqual(
    [acknowledged?.id, acknowledged?.from, acknowledged?.correlation_id, acknowledged?.payload],
    [ack.id, "ann", [asked?.id], { status: "stopping" }],
  );
  assert.deepEqual(conclusions(fixture), [{ from: "ann", interrupted: true, message: "lunch" }]);
});

test("redirect: the thought is completed, the sequence is concluded as interrupted, and the next starts immediately with the message in view", async () => {
  const { fixture, ann, look, finish } = thinking();
  const turn = begun(fixture);
  const run = fixture.team.run("t");
  const id = await turn;
  await fixture.next("message/chunk");

  const ack = await fixture.team.interruptReasoning(request(id, "redirect", { message: "think of security" }));
  finish();
  const result = await run;

  assert.equal(ack.payload.status, "completing_thought");
  assert.match(result.stopReason ?? "", /^Maximum number of turns/);
  assert.deepEqual(conclusions(fixture), [
    { from: "ann", interrupted: true, message: "think of security" },
    { from: "ann", interrupted: false, message: undefined },
    { from: "bob", interrupted: false, message: undefined },
  ]);
  assert.deepEqual(fixture.said(), ["user: t", "user: think of security", "ann: second", "bob: bob"]);
  const said = fixture.team.state.thread[1];
  assert.deepEqual([said?.type, said?.metadata], ["UserTextMessage", { to: "ann" }]);
  assert.equal(look.runs.length, 0);
  const types = fixture.types();
  assert.ok(types.indexOf("tool/executed") < types.indexOf("reasoning/start", types.indexOf("reasoning/conclusion")));
  const last = ann.lastItems.at(-1);
  assert.deepEqual([last?.role, last?.role === "user" && last.content], ["user", "think of security"]);
  assert.equal(conversationProblem(ann.lastItems), undefined);
  assert.ok(!fixture.types().includes("interrupt/requested"));
  assert.deepEqual(fixture.team.state, fixture.folded());
});

test("redirected in her last thought: the thought is complete, and she starts over", async () => {
  const hold = Promise.withResolvers<void>();
  const ann = new ScriptedModel(
    [...say("one "), { type: "wait", until: hold.promise }, ...say("way")],
    say("another way"),
  );
  const fixture = testTeam({ speakers: { ann }, maxTurns: 1 });
  const turn = begun(fixture);
  const run = fixture.team.run("t");
  const id = await turn;
  await fixture.next("message/chunk");
  await fixture.team.interruptReasoning(request(id, "redirect", { message: "no" }));
  hold.resolve();
  await run;
  assert.deepEqual(fixture.said(), ["user: t", "ann: one way", "user: no", "ann: another way"]);
});

test("two redirections of one thought: she is shown both, in order", async () => {
  const { fixture, finish } = thinking();
  const turn = begun(fixture);
  const run = fixture.team.run("t");
  const id = await turn;
  await fixture.team.interruptReasoning(request(id, "redirect", { message: "left" }));
  await fixture.team.interruptReasoning(request(id, "redirect", { message: "right" }));
  finish();
  await run;
  assert.deepEqual(fixture.said().slice(0, 4), ["user: t", "user: left", "user: right", "ann: second"]);
});

test("a redirection without a direction completes the thought, and then waits for one", async () => {
  const { fixture, ann, finish } = thinking();
  const turn = begun(fixture);
  const run = fixture.team.run("t");
  const ack = await fixture.team.interruptReasoning(request(await turn, "redirect"));
  finish();
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.equal(ack.payload.status, "completing_thought");
  assert.equal(ann.requests.length, 1);
});

test("the answer to a user's message can be redirected: the new one answers it", async () => {
  const { fixture, finish } = thinking();
  const turn = begun(fixture);
  const asked = fixture.team.sendUserMessage("ann", ["why?"], afterReply("pause"));
  const id = await turn;
  await fixture.team.interruptReasoning(request(id, "redirect", { message: "shorter" }));
  finish();
  const result = await asked;
  assert.equal(result.stopReason, "USER_MESSAGE_COMPLETED");
  assert.equal(fixture.team.state.unanswered, undefined);
  assert.deepEqual(fixture.said(), ["user: why?", "user: shorter", "ann: second"]);
  await fixture.team.run();
  assert.deepEqual(fixture.said().slice(3), ["ann: third"]);
});

test("the answer to a user's message can be stopped: it stays due until the run continues", async () => {
  const { fixture, finish } = thinking();
  const turn = begun(fixture);
  const asked = fixture.team.sendUserMessage("ann", ["why?"], afterReply("pause"));
  const id = await turn;
  await fixture.team.interruptReasoning(request(id, "timeout"));
  finish();
  assert.equal((await asked).stopReason, "USER_INTERRUPT");
  assert.deepEqual(fixture.said(), ["user: why?"]);
  await fixture.team.run();
  assert.deepEqual(fixture.said(), ["user: why?", "ann: second"]);
});

test("without `to`, without a correlation id, or `other` without a message: rejected, and no event", async () => {
  const { fixture } = thinking();
  const wrong = [
    request("turn", "timeout", { to: [] }),
    request("turn", "timeout", { correlation_id: [] }),
    request("turn", "other"),
  ];
  for (const fault of wrong) {
    await assert.rejects(
      fixture.team.interruptReasoning(fault),
      (error) => error instanceof GavelError && error.data.code === "InvalidParams",
    );
  }
  assert.deepEqual(fixture.events, []);
});

const members = [
  { name: "ann" },
  { name: "bob", capabilities: [{ kind: "reasoning/interrupt", to: ["ann"] }] },
  { name: "cid", capabilities: [{ kind: "reasoning/interrupt", to: ["bob"] }] },
];

test("authority: the user for everyone, everyone for itself, others by capability; anyone else is ignored, and the reasoning continues", async () => {
  const cases = [
    ["user", "stopping"],
    ["ann", "stopping"],
    ["bob", "stopping"],
    ["cid", "ignored"],
    ["stranger", "ignored"],
  ] as const;
  for (const [from, status] of cases) {
    const hold = Promise.withResolvers<string>();
    const fixture = testTeam({
      speakers: { ...names("bob", "cid"), ann: () => hold.promise },
      participants: members,
      maxTurns: 1,
    });
    const turn = begun(fixture);
    const run = fixture.team.run("t");
    const ack = await fixture.team.interruptReasoning(request(await turn, "user_request", { from }));
    hold.resolve("ann");
    const result = await run;
    assert.equal(ack.payload.status, status, from);
    assert.equal(result.stopReason === "USER_INTERRUPT", status === "stopping", from);
    if (status === "ignored")
      assert.match(ack.payload.message ?? "", from === "cid" ? /lacks the capability/ : /There is no participant/);
    assert.equal(eventsOf(fixture, "reasoning/interrupt-ack").length, 1);
  }
});

test("a turn that has ended, of another participant, or unknown: ignored", async () => {
  const { fixture, finish } = thinking();
  const turn = begun(fixture);
  const run = fixture.team.run("t");
  const id = await turn;
  const wrong = [
    request("turn-0", "timeout"),
    request(id, "timeout", { to: ["bob"] }),
    request(id, "timeout", { to: ["zoe"] }),
  ];
  for (const each of wrong) assert.equal((await fixture.team.interruptReasoning(each)).payload.status, "ignored");
  finish();
  await run;
  assert.equal((await fixture.team.interruptReasoning(request(id, "timeout"))).payload.status, "ignored");
  assert.deepEqual(fixture.said(), ["user: t", "ann: second", "bob: bob"]);
});

test("several targets: each acknowledges, and the response has the status that changes most", async () => {
  const { fixture, finish } = thinking();
  const turn = begun(fixture);
  const run = fixture.team.run("t");
  const id = await turn;
  const ack = await fixture.team.interruptReasoning(request(id, "timeout", { to: ["bob", "ann"] }));
  finish();
  await run;
  assert.deepEqual([ack.from, ack.payload.status], ["ann", "stopping"]);
  assert.deepEqual(
    eventsOf(fixture, "reasoning/interrupt-ack").map(({ from, payload }) => [from, payload.status]),
    [
      ["bob", "ignored"],
      ["ann", "stopping"],
    ],
  );
});

test("a participant of a nested team is interrupted from the outer team, whose run stops with it", async () => {
  const hold = Promise.withResolvers<void>();
  const cat = new ScriptedModel([...say("mew"), { type: "wait", until: hold.promise }, ...ask(call("1", "look"))]);
  const team = {
    name: "Inner",
    kind: "roundRobin" as const,
    participants: [{ name: "cat", model: "cat", tools: ["look"] }],
  };
  const fixture = testTeam({
    speakers: { cat, ...names("ann") },
    tools: [testTool("look")],
    participants: [
      { name: "lab", kind: "team", team },
      { name: "ann", model: "ann", capabilities: [{ kind: "reasoning/interrupt", to: "lab" }] },
    ],
    graceMs: 1,
  });
  const run = fixture.team.run("t");
  await fixture.next("message/chunk");
  const inner = fixture.team.state.inner?.["lab"]?.openTurns[0]?.id ?? "";
  const ack = await fixture.team.interruptReasoning(request(inner, "timeout", { from: "ann", to: ["cat"] }));
  hold.resolve();
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual([ack.from, ack.payload.status], ["cat", "stopping"]);
  assert.equal(cat.requests.length, 1);
  assert.equal(fixture.team.state.inner?.["lab"]?.interrupted, true);
});

test("a nested team is redirected as a whole: its speaker's thought ends, and the team gets the message", async () => {
  const hold = Promise.withResolvers<void>();
  const cat = new ScriptedModel(
    [...say("mew"), { type: "wait", until: hold.promise }, ...ask(call("1", "look"))],
    say("purr"),
  );
  const team = {
    name: "Inner",
    kind: "roundRobin" as const,
    participants: [{ name: "cat", model: "cat", tools: ["look"] }],
    maxTurns: 1,
  };
  const fixture = testTeam({
    speakers: { cat },
    tools: [testTool("look")],
    participants: [{ name: "lab", kind: "team", team }],
    maxTurns: 1,
    graceMs: 1,
  });
  const run = fixture.team.run("t");
  await fixture.next("message/chunk");
  const outer = fixture.team.state.openTurns[0]?.id ?? "";
  await fixture.team.interruptReasoning(request(outer, "redirect", { to: ["lab"], message: "be a dog" }));
  hold.resolve();
  await run;
  assert.deepEqual(fixture.said(), ["user: t", "user: be a dog", "lab: purr"]);
  assert.deepEqual(
    cat.lastItems.filter(({ role }) => role === "user").map((item) => "content" in item && item.content),
    ["t", "be a dog"],
  );
});

/** A team of one participant that is code and answers for itself. */
function answering(
  answer: (request: ReasoningRequest) => ReasoningAnswer | Promise<ReasoningAnswer>,
  timers = new ManualTimers(),
) {
  const hold = Promise.withResolvers<string>();
  const ann: Participant = Object.assign(new FunctionParticipant("ann", () => hold.promise), {
    onReasoningInterrupt: answer,
  });
  const events: TeamEvent[] = [];
  const team: Team = createTeam({
    teamId: "t",
    definition: { name: "T", kind: "roundRobin", participants: [{ name: "ann" }], maxTurns: 1 },
    parts: {
      model: () => new ScriptedModel(),
      tool: () => undefined,
      participant: () => ann,
    },
    timers,
    graceMs: 1,
  });
  const turn = new Promise<string>((resolve) => {
    team.onEvent((event) => {
      events.push(event);
      if (event.type === "reasoning/start") resolve(event.id);
    });
  });
  return { team, events, timers, speak: hold.resolve, turn };
}

test("a participant that is code answers itself, and may continue", async () => {
  for (const status of ["continuing", "ignored"] as const) {
    const asked: ReasoningRequest[] = [];
    const { team, turn, speak, timers } = answering(async (wanted) => {
      asked.push(wanted);
      return status;
    });
    const run = team.run("t");
    const ack = await team.interruptReasoning(request(await turn, "timeout", { message: "slow" }));
    speak("done");
    assert.equal(ack.payload.status, status);
    assert.deepEqual(asked[0]?.payload, { reason: "timeout", message: "slow" });
    assert.match((await run).stopReason ?? "", /^Maximum number of turns/);
    assert.equal(timers.pending, 0);
  }
});

test("it may stop although the reason asks for less, or use the default for the reason", async () => {
  for (const [answer, status] of [
    ["stopping", "stopping"],
    [undefined, "completing_thought"],
  ] as const) {
    const { team, turn, speak } = answering(() => answer);
    const run = team.run("t");
    const ack = await team.interruptReasoning(request(await turn, "redirect", { message: "left" }));
    speak("done");
    assert.equal(ack.payload.status, status);
    assert.equal((await run).stopReason === "USER_INTERRUPT", answer === "stopping");
  }
});

test("no answer within 30 s: the participant is stopped by force, and the acknowledgement says so", async () => {
  const { team, turn, timers, events } = answering(() => new Promise<never>(() => {}));
  const run = team.run("t");
  const id = await turn;
  const acknowledged = team.interruptReasoning(request(id, "redirect", { message: "left" }));
  timers.advance(29_999);
  assert.ok(!events.some(({ type }) => type === "reasoning/interrupt-ack"));
  timers.advance(1);

  const ack = await acknowledged;
  assert.equal(ack.payload.status, "stopping");
  assert.match(ack.payload.message ?? "", /did not answer within 30 s and is stopped by force/);
  timers.advance(2_000);
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.ok(events.some((event) => event.type === "reasoning/conclusion" && event.interrupted));
  assert.equal(timers.pending, 0);
});

test("stopping a participant that hangs: its thought is aborted, and the sequence is over within 2 s", async () => {
  const { team, turn, timers, events } = answering(() => "stopping");
  const run = team.run("t");
  const ack = await team.interruptReasoning(request(await turn, "timeout"));
  assert.equal(ack.payload.status, "stopping");
  assert.ok(!events.some(({ type }) => type === "reasoning/conclusion"));

  timers.advance(2_000);

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.ok(events.some((event) => event.type === "reasoning/conclusion" && event.interrupted));
  assert.equal(events.filter(({ type }) => type === "interrupt/requested").length, 1);
  assert.equal(timers.pending, 0);
});

test("it ends its turn before it answers: ignored, and nothing is stopped", async () => {
  const { team, turn, speak, timers } = answering(() => new Promise<never>(() => {}));
  const run = team.run("t");
  const id = await turn;
  const acknowledged = team.interruptReasoning(request(id, "timeout"));
  speak("done");
  await run;
  assert.equal((await acknowledged).payload.status, "ignored");
  assert.equal(timers.pending, 0);
});

test("an answer that fails is replaced by the default for the reason, and the acknowledgement says why", async () => {
  const { team, turn, speak } = answering(() => {
    throw new Error("out of order");
  });
  const run = team.run("t");
  const ack = await team.interruptReasoning(request(await turn, "timeout"));
  speak("done");
  assert.deepEqual(ack.payload, { status: "stopping", message: "The participant failed to answer: out of order" });
  assert.equal((await run).stopReason, "USER_INTERRUPT");
});
