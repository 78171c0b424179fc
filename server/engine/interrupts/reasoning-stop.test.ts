import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { ManualTimers } from "../testing/manual-timers.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, names, type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

const conclusions = ({ events }: TestTeam): (readonly [string, boolean, boolean])[] =>
  events
    .filter((event): event is EventOf<"reasoning/conclusion"> => event.type === "reasoning/conclusion")
    .map(({ from, interrupted = false, complete = false }) => [from, interrupted, complete]);

/** The turn of `name` that started last. */
const turnOf = ({ events }: TestTeam, name: string): string =>
  events.findLast(
    (event): event is EventOf<"reasoning/start"> => event.type === "reasoning/start" && event.from === name,
  )?.id ?? "";

/** The user asks `name` to stop its turn in progress. */
const stop = (fixture: TestTeam, name: string) =>
  fixture.team.interruptReasoning({
    from: "user",
    to: [name],
    correlation_id: [turnOf(fixture, name)],
    payload: { reason: "timeout" },
  });

/** Ann in her last thought, which ends when `finish` is called; then bob and cid. */
function finishing(kind: TeamDefinition["kind"] = "roundRobin") {
  const hold = Promise.withResolvers<void>();
  const ann = new ScriptedModel([...say("one "), { type: "wait", until: hold.promise }, ...say("way")], say("again"));
  const fixture = testTeam({
    kind,
    ...(kind === "graph" ? { graph: { edges: [{ from: "ann", to: "bob" }] } } : {}),
    speakers: { ann, bob: () => "bob" },
    maxTurns: 2,
  });
  return { fixture, ann, finish: hold.resolve };
}

for (const kind of ["roundRobin", "graph"] as const) {
  test(`stopped in the thought that completes the message (${kind}): the run pauses, and a bare run goes on with the next`, async () => {
    const { fixture, ann, finish } = finishing(kind);
    const streamed = fixture.next("message/chunk");
    const run = fixture.team.run("t");
    await streamed;

    const ack = await stop(fixture, "ann");
    finish();

    assert.equal(ack.payload.status, "stopping");
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    assert.deepEqual(conclusions(fixture), [["ann", true, true]]);
    assert.deepEqual([fixture.said(), fixture.team.state.turn], [["user: t", "ann: one way"], 1]);
    assert.deepEqual(fixture.team.state, fixture.folded());

    await fixture.team.run();
    assert.deepEqual(fixture.said(), ["user: t", "ann: one way", "bob: bob"]);
    assert.equal(ann.requests.length, 1);
  });
}

test("stopped in the thought that completes the answer to a user's message: it is not answered again", async () => {
  const { fixture, ann, finish } = finishing();
  const streamed = fixture.next("message/chunk");
  const asked = fixture.team.sendUserMessage("ann", ["why?"], afterReply("pause"));
  await streamed;

  await stop(fixture, "ann");
  finish();
  await asked;

  assert.deepEqual(conclusions(fixture), [["ann", true, true]]);
  assert.equal(fixture.types().filter((type) => type === "userMessage/answered").length, 1);
  assert.equal(fixture.team.state.unanswered, undefined);
  await fixture.team.run();
  assert.deepEqual([ann.requests.length, fixture.said().slice(0, 2)], [2, ["user: why?", "ann: one way"]]);
});

/** A model that streams a word and then neither ends nor notices that it is aborted. */
const hanging = (): ScriptedModel =>
  new ScriptedModel([...say("one "), { type: "hang", until: new Promise(() => {}) }], say("again"));

test("stopping a model that hangs: its sequence is concluded 2 s after the acknowledgement, and its text is kept", async () => {
  const timers = new ManualTimers();
  const fixture = testTeam({ speakers: { ann: hanging(), ...names("bob") }, timers });
  const streamed = fixture.next("message/chunk");
  const run = fixture.team.run("t");
  await streamed;
  await stop(fixture, "ann");
  const concluded = fixture.next("reasoning/conclusion");

  timers.advance(2_000);

  await concluded;
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(conclusions(fixture), [["ann", true, false]]);
  assert.deepEqual(fixture.said(), ["user: t", "ann: one …"]);
  assert.equal(timers.pending, 0);
});

test("stopping a tool that hangs, in a nested team: its sequence is concluded after 2 s too", async () => {
  const timers = new ManualTimers();
  const slow = testTool("slow", () => new Promise(() => {}));
  const fixture = testTeam({
    speakers: { ann: new ScriptedModel(ask(call("1", "slow")), ask(call("2", "slow"))) },
    tools: [slow],
    participants: [
      {
        name: "lab",
        kind: "team",
        team: { name: "Lab", kind: "roundRobin", participants: [{ name: "ann", model: "ann", tools: ["slow"] }] },
      },
    ],
    timers,
  });
  for (const name of ["ann", "lab"]) {
    const started = fixture.next("tool/started");
    const run = fixture.team.run("t");
    await started;
    await stop(fixture, name);

    timers.advance(2_000);

    assert.equal((await run).stopReason, "USER_INTERRUPT");
    assert.deepEqual(
      conclusions(fixture).slice(-2),
      [
        ["ann", true, false],
        ["lab", true, false],
      ],
      name,
    );
    await fixture.team.interrupt({ severity: "reset" });
  }
});

test("stopping one of several speakers that hangs: it is concluded after 2 s, and the others go on", async () => {
  const timers = new ManualTimers();
  const bob = Promise.withResolvers<string>();
  const fixture = testTeam({
    kind: "graph",
    graph: { edges: [] },
    speakers: { ann: hanging(), bob: () => bob.promise },
    timers,
  });
  const streamed = fixture.next("message/chunk");
  const run = fixture.team.run("t");
  await streamed;
  await stop(fixture, "ann");
  const concluded = fixture.next("reasoning/conclusion");

  timers.advance(2_000);

  await concluded;
  assert.deepEqual([fixture.team.isRunning, fixture.said()], [true, ["user: t", "ann: one …"]]);
  bob.resolve("bob");
  await run;
  assert.deepEqual(fixture.said(), ["user: t", "ann: one …", "bob: bob"]);
});

/** Ann's call waits for approval, then runs until it is ended or aborted; in a nested team where `within` is given. */
async function approvedCall(within?: "lab") {
  const timers = new ManualTimers();
  const hold = Promise.withResolvers<string>();
  const pay = testTool("pay", () => hold.promise, { approval: "ask" });
  const ann = new ScriptedModel(ask(call("1", "pay")), say("paid"), say("again"));
  const participants = [
    {
      name: "lab",
      kind: "team" as const,
      team: {
        name: "Lab",
        kind: "roundRobin" as const,
        participants: [{ name: "ann", model: "ann", tools: ["pay"] }],
        maxTurns: 1,
      },
    },
  ];
  const fixture = testTeam({
    speakers: { ann },
    tools: [pay],
    ...(within === undefined ? {} : { participants }),
    maxTurns: 1,
    timers,
  });
  assert.equal((await fixture.team.run("t")).stopReason, "TOOL_INTERRUPT");
  const [{ ref } = { ref: "" }] = fixture.team.state.pendingTools;
  const started = fixture.next("tool/started");
  const resolved = fixture.team.resolveTools({ restart: [{ ref }] });
  await started;
  return { fixture, timers, ann, hold, resolved };
}

for (const within of [undefined, "lab"] as const) {
  const where = within === undefined ? "" : ", in a nested team";

  test(`stopping a participant whose approved call runs: it ends with the call, and the model is not asked${where}`, async () => {
    const { fixture, ann, hold, resolved } = await approvedCall(within);
    const ack = await stop(fixture, "ann");
    hold.resolve("receipt");

    assert.equal(ack.payload.status, "stopping");
    assert.equal((await resolved).result?.stopReason, "USER_INTERRUPT");
    assert.deepEqual(conclusions(fixture)[0], ["ann", true, false]);
    assert.equal(ann.requests.length, 1);
    assert.deepEqual(fixture.team.state, fixture.folded());

    await fixture.team.run();
    assert.equal(ann.requests.length, 2);
  });

  test(`stopping a participant whose approved call hangs: it is cut after 2 s${where}`, async () => {
    const { fixture, timers, resolved } = await approvedCall(within);
    await stop(fixture, "ann");
    const concluded = fixture.next("reasoning/conclusion");

    timers.advance(2_000);

    await concluded;
    assert.equal((await resolved).result?.stopReason, "USER_INTERRUPT");
    assert.deepEqual(conclusions(fixture)[0], ["ann", true, false]);
    assert.equal(timers.pending, 0);
  });

  test(`redirecting a participant whose approved call runs: the call ends, then it starts over with the message${where}`, async () => {
    const { fixture, ann, hold, resolved } = await approvedCall(within);
    const ack = await fixture.team.interruptReasoning({
      from: "user",
      to: ["ann"],
      correlation_id: [turnOf(fixture, "ann")],
      payload: { reason: "redirect", message: "Refund it" },
    });
    hold.resolve("receipt");

    assert.equal(ack.payload.status, "completing_thought");
    assert.equal((await resolved).result?.status.code, "success");
    assert.deepEqual(conclusions(fixture).slice(0, 2), [
      ["ann", true, false],
      ["ann", false, false],
    ]);
    assert.equal(ann.requests.length, 2);
    assert.match(JSON.stringify(ann.lastItems), /receipt.*Refund it/);
  });
}
