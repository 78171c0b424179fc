import assert from "node:assert/strict";
import { test } from "node:test";
import type { Team } from "../index.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, names, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** A team of several users: each act is that of the one who was set last. */
function teamOf(options: TestTeamOptions): TestTeam & { readonly as: (user: string) => Team } {
  let acting = "eve";
  const fixture = testTeam({ ...options, user: () => acting });
  const as = (user: string): Team => {
    acting = user;
    return fixture.team;
  };
  return { ...fixture, as };
}

/** The events that are somebody's acts, each as `type by`. */
const acts = ({ events }: TestTeam): string[] =>
  events.flatMap((event) => ("by" in event && event.by !== undefined ? [`${event.type} ${event.by}`] : []));

test("each act has the user who did it, also while another one's run is in progress", async () => {
  const gates: (() => void)[] = [];
  const fixture = teamOf({
    speakers: { one: () => new Promise((resolve) => gates.push(() => resolve("said"))), two: () => "two" },
    maxTurns: 2,
  });
  const spoke = fixture.next("reasoning/start");
  const running = fixture.as("ann").run("t");
  await spoke;
  const { team, as } = fixture;
  void as("bob").sendUserMessage("two", ["first"], { delivery: "queue" });
  void as("bob").sendUserMessage("two", ["second"], { delivery: "queue" });
  const [first = "", second = ""] = team.state.queued.map(({ id }) => id);
  as("cat").changeQueue({ edit: { id: first, messages: ["changed"] }, order: [second, first] });
  as("ann").changeQueue({ withdraw: [second] });
  as("bob").stop();
  as("cat").withdrawStop();
  as("bob").rename("Title");
  const interrupting = as("cat").interrupt({ severity: "pause" });
  as("bob");
  gates.shift()?.();
  await Promise.all([running, interrupting]);

  assert.deepEqual(acts(fixture), [
    "run/started ann",
    "userMessage/queued bob",
    "userMessage/queued bob",
    "userMessage/reordered cat",
    "userMessage/edited cat",
    "userMessage/withdrawn ann",
    "stop/requested bob",
    "stop/withdrawn cat",
    "team/renamed bob",
    "interrupt/requested cat",
  ]);
});

test("a message that has waited is delivered in its sender's name, and so is the run that it starts", async () => {
  const gates: (() => void)[] = [];
  const fixture = teamOf({
    speakers: { one: () => new Promise((resolve) => gates.push(() => resolve("one"))) },
    maxTurns: 1,
  });
  const spoke = fixture.next("reasoning/start");
  const running = fixture.as("ann").run("t");
  await spoke;
  const sent = fixture.as("bob").sendUserMessage("one", ["mine"], { delivery: "queue", ...afterReply("pause") });
  const forAll = fixture.as("cat").sendUserMessage(undefined, ["all"], { delivery: "queue" });
  fixture.as("dan");
  const answering = fixture.next("reasoning/start");
  gates.shift()?.();
  await running;
  await answering;
  const last = fixture.next("reasoning/start");
  gates.shift()?.();
  await sent;
  await last;
  gates.shift()?.();
  await forAll;

  assert.deepEqual(
    acts(fixture).filter((act) => act.startsWith("run/")),
    ["run/started ann", "run/started bob", "run/started cat"],
  );
  assert.deepEqual(fixture.said(), ["ann: t", "one: one", "bob: mine", "one: one", "cat: all", "one: one"]);
});

test("what a decision starts is in the name of who decided", async () => {
  const model = new ScriptedModel(ask(call("c1", "pay", 1), call("c2", "pay", 2)), say("thanks"));
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const fixture = teamOf({ speakers: { one: model }, tools: [pay], maxTurns: 1 });
  await fixture.as("ann").run("t");
  await fixture.as("bob").resolveTools({ deny: [{ ref: fixture.ref("c1") }] });
  const deciding = fixture.as("cat").resolveTools({ restart: [{ ref: fixture.ref("c2") }] });
  fixture.as("dan");
  await deciding;

  assert.deepEqual(acts(fixture), ["run/started ann", "tool/resolved bob", "tool/resolved cat", "run/started cat"]);
});

test("a reset, a state that is loaded, and a reset by an interrupt name their user", async () => {
  const gates: (() => void)[] = [];
  const fixture = teamOf({ speakers: { one: () => new Promise((resolve) => gates.push(() => resolve("one"))) } });
  const { as, team } = fixture;
  as("ann").reset();
  as("bob").load(team.save());
  const spoke = fixture.next("reasoning/start");
  const running = as("ann").run("t");
  await spoke;
  const pausing = as("bob").interrupt({ grace: "turn" });
  const resetting = as("cat").interrupt({ severity: "reset" });
  as("dan");
  gates.shift()?.();
  await Promise.all([running, pausing, resetting]);

  assert.deepEqual(acts(fixture), [
    "team/reset ann",
    "state/loaded bob",
    "run/started ann",
    "interrupt/requested bob",
    "team/reset cat",
  ]);
});

test("every user may interrupt reasoning, in their own name alone", async () => {
  const gates: (() => void)[] = [];
  const fixture = teamOf({
    speakers: { one: () => new Promise((resolve) => gates.push(() => resolve("one"))) },
    maxTurns: 1,
  });
  const { as } = fixture;
  const started = fixture.next("reasoning/start");
  const running = as("ann").run("t");
  const event = await started;
  const turn = event.type === "reasoning/start" ? event.id : "";
  const request = { to: ["one"], correlation_id: [turn], payload: { reason: "user_request" as const } };
  const claimed = await as("bob").interruptReasoning({ from: "ann", ...request });
  const own = await as("bob").interruptReasoning({ from: "bob", ...request });
  gates.shift()?.();
  await running;

  assert.deepEqual(
    [claimed.payload.status, claimed.payload.message],
    ["ignored", 'There is no participant or monitor "ann".'],
  );
  assert.equal(own.payload.status, "stopping");
  assert.deepEqual(
    fixture.events.flatMap((each) => (each.type === "reasoning/interrupt" ? [[each.from, each.by]] : [])),
    [
      ["ann", "bob"],
      ["bob", "bob"],
    ],
  );
});

test("the runs of a nested team have no user", async () => {
  const inner = { name: "Inner", kind: "roundRobin" as const, participants: [{ name: "deep" }], maxTurns: 1 };
  const fixture = teamOf({
    speakers: names("deep"),
    participants: [{ name: "group", kind: "team", team: inner }],
    maxTurns: 1,
  });
  await fixture.as("ann").run("t");
  assert.deepEqual(
    fixture.events.flatMap((event) => (event.type === "run/started" ? [[event.path, event.by]] : [])),
    [
      [undefined, "ann"],
      [["group"], undefined],
    ],
  );
});
