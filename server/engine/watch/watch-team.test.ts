import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptRule } from "../../../shared/contract/interrupt-rule.ts";
import { ManualTimers } from "../testing/manual-timers.ts";
import { ask, call, ScriptedModel, say, spend } from "../testing/scripted-model.ts";
import { names, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const NEVER = new Promise<never>(() => {});

function watched(rule: InterruptRule | readonly InterruptRule[], options: TestTeamOptions): TestTeam {
  return testTeam({ maxTurns: 6, graceMs: 1, ...options, interrupts: [rule].flat() });
}

/** The requested interrupts, as `by: reason`. */
const asked = ({ events }: Pick<TestTeam, "events">): string[] =>
  events.flatMap((event) => (event.type === "interrupt/requested" ? [`${event.by}: ${event.reason}`] : []));

const usage = (total: number, cost = 0) => ({ prompt: 0, completion: total, total, cost });

test("a pattern in a message interrupts while the message is streamed, at the chunk that completes the match", async () => {
  const ann = new ScriptedModel([...say("I shall run rm", " -r", "f /", " now"), { type: "wait", until: NEVER }]);
  const fixture = watched(
    { name: "guard", when: { message: { contains: "rm -rf" } }, reason: "destructive" },
    { speakers: { ann } },
  );

  const result = await fixture.team.run("clean up");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(fixture.said(), ["user: clean up", "ann: I shall run rm -rf /…"]);
  assert.deepEqual(asked(fixture), ["guard: destructive"]);
});

test("the user's messages are tested only if the rule names the user", async () => {
  const rule = { when: { message: { contains: "stop" } }, reason: "it was said" };
  const unnamed = watched(rule, { speakers: names("ann") });
  await unnamed.team.run("never stop");
  assert.deepEqual(asked(unnamed), []);

  const named = watched(
    { ...rule, when: { message: { ...rule.when.message, sources: ["user"] } } },
    { speakers: names("ann") },
  );
  const result = await named.team.run("never stop");
  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(named.said(), ["user: never stop"]);
});

test("a tool is interrupted before it runs, by its name and its arguments", async () => {
  const write = testTool("write");
  const ann = new ScriptedModel(
    ask(call("1", "write", { text: "hello" })),
    ask(call("2", "write", { text: 'say "secret"' })),
  );
  const rule = { when: { tool: { name: "write", arguments: { contains: '"secret"' } } }, reason: "a secret" };
  const { team, events, withIds } = watched(rule, { speakers: { ann }, tools: [write] });

  const result = await team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(
    write.runs.map(({ input }) => input),
    [{ text: "hello" }],
  );
  assert.deepEqual(
    withIds(
      events.flatMap((event) => (event.type === "tool/executed" ? [[event.ref, event.interrupted ?? false]] : [])),
    ),
    [
      ["1", false],
      ["2", true],
    ],
  );
});

test("with grace `thought` it does not run either; with grace `turn` it does", async () => {
  for (const [grace, runs] of [
    ["thought", 0],
    ["turn", 1],
  ] as const) {
    const write = testTool("write");
    const ann = new ScriptedModel(ask(call("1", "write")), say("written"));
    const { team } = watched(
      { when: { tool: { name: "write" } }, grace, reason: "look" },
      { speakers: { ann }, tools: [write] },
    );
    const result = await team.run("t");
    assert.equal(result.stopReason, "USER_INTERRUPT");
    assert.equal(write.runs.length, runs, grace);
  }
});

test("a rule on a participant interrupts the run before its first word", async () => {
  const bob = new ScriptedModel(say("bob"));
  const { team, said } = watched(
    { when: { participant: "bob" }, reason: "your turn to look" },
    { speakers: { ...names("ann"), bob } },
  );

  const result = await team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(said(), ["user: t", "ann: ann"]);
  assert.equal(bob.requests.length, 0);
});

test("turns, tokens and cost interrupt once they are reached, and once per run", async () => {
  const speakers = () => ({
    ann: new ScriptedModel(...Array.from({ length: 9 }, () => [...say("x"), spend(usage(40, 0.01))])),
  });
  const rules: readonly [InterruptRule["when"], number][] = [
    [{ turns: 2 }, 2],
    [{ tokens: 100 }, 3],
    [{ cost: 0.04 }, 4],
  ];
  for (const [when, replies] of rules) {
    const fixture = watched({ when, grace: "turn", reason: "enough" }, { speakers: speakers() });
    const result = await fixture.team.run("t");
    assert.equal(result.stopReason, "USER_INTERRUPT");
    assert.equal(result.messages.length, 1 + replies, JSON.stringify(when));
    assert.equal(asked(fixture).length, 1);
  }
});

test("all conditions of a rule must hold: the message and the tool in one turn, after the given turns", async () => {
  const run = testTool("run");
  const turn = (text: string, id: string) => [...say(text), ...ask(call(id, "run"))];
  const ann = new ScriptedModel(turn("danger", "1"), say("ok"), turn("calm", "2"), say("ok"), turn("danger", "3"));
  const when = { message: { contains: "danger" }, tool: { name: "run" }, turns: 1 };
  const { team } = watched({ when, reason: "both" }, { speakers: { ann }, tools: [run] });

  const result = await team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.equal(run.runs.length, 2);
});

test("a run that lasts too long is interrupted in the middle of a turn, and no timer is left at rest", async () => {
  const timers = new ManualTimers();
  const ann = new ScriptedModel([...say("so"), { type: "wait", until: NEVER }], say("done"));
  const fixture = watched({ when: { seconds: 60 }, reason: "a minute" }, { speakers: { ann }, timers, maxTurns: 1 });

  const run = fixture.team.run("t");
  await fixture.next("message/chunk");
  timers.advance(59_999);
  assert.deepEqual(asked(fixture), []);
  timers.advance(1);

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(fixture.said(), ["user: t", "ann: so…"]);
  assert.equal(timers.pending, 0);
  await fixture.team.run();
  assert.equal(timers.pending, 0);
});

test("a stall is a time without activity", async () => {
  const timers = new ManualTimers();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ann = new ScriptedModel([
    ...say("a"),
    { type: "wait", until: first.promise },
    ...say("b"),
    { type: "wait", until: second.promise },
  ]);
  const fixture = watched({ when: { stall: { seconds: 10 } }, reason: "silent" }, { speakers: { ann }, timers });

  const run = fixture.team.run("t");
  await fixture.next("message/chunk");
  timers.advance(9_000);
  const said = fixture.next("message/chunk");
  first.resolve();
  await said;
  timers.advance(9_000);
  assert.deepEqual(asked(fixture), []);
  timers.advance(1_000);

  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.deepEqual(asked(fixture), ["watch: silent"]);
  assert.equal(timers.pending, 0);
});

test("severity and scope are those of the rule", async () => {
  const rule: InterruptRule = { when: { participant: "ann" }, severity: "stop", scope: "participant", reason: "r" };
  const { team, events } = watched(rule, { speakers: names("ann", "bob") });

  await team.run("t");

  const [request] = events.filter((event) => event.type === "interrupt/requested");
  assert.ok(request?.type === "interrupt/requested");
  assert.deepEqual([request.severity, request.scope], ["stop", { participant: "ann" }]);
  assert.equal(team.state.status, "idle");
});

test("a rule watches each run from zero", async () => {
  const fixture = watched({ when: { turns: 1 }, reason: "one at a time" }, { speakers: names("ann", "bob") });

  assert.equal((await fixture.team.run("t")).stopReason, "USER_INTERRUPT");
  assert.equal((await fixture.team.run()).stopReason, "USER_INTERRUPT");
  assert.deepEqual(fixture.said(), ["user: t", "ann: ann", "bob: bob"]);
  assert.equal(asked(fixture).length, 2);
});

test("usage before the user's decision on a call counts together with usage after it", async () => {
  const timers = new ManualTimers();
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const ann = new ScriptedModel(ask(call("1", "pay")), [...say("so"), { type: "wait", until: NEVER }]);
  const fixture = watched({ when: { seconds: 60 }, reason: "a minute" }, { speakers: { ann }, tools: [pay], timers });
  fixture.team.onEvent(({ type }) => {
    if (type === "tool/interrupted") timers.advance(40_000);
  });

  await fixture.team.run("t");
  assert.equal(timers.pending, 0);
  timers.advance(1_000_000);
  const answered = fixture.team.resolveTools({ restart: [{ ref: fixture.ref("1") }] });
  await fixture.next("message/chunk");
  timers.advance(19_999);
  assert.deepEqual(asked(fixture), []);
  timers.advance(1);

  assert.equal((await answered).result?.stopReason, "USER_INTERRUPT");
  assert.deepEqual(asked(fixture), ["watch: a minute"]);
});

test("the same holds for tokens, and a run that continues otherwise starts counting at zero", async () => {
  const pay = testTool("pay", () => "paid", { approval: "ask" });
  const step = [...ask(call("1", "pay")), spend(usage(60))];
  const ann = new ScriptedModel(step, [...say("so"), spend(usage(60))], [...say("on"), spend(usage(60))]);
  const rule = { when: { tokens: 100 }, grace: "turn" as const, reason: "spent" };
  const fixture = watched(rule, { speakers: { ann }, tools: [pay], maxTurns: 2 });

  await fixture.team.run("t");
  assert.deepEqual(asked(fixture), []);
  const { result } = await fixture.team.resolveTools({ restart: [{ ref: fixture.ref("1") }] });
  assert.equal(result?.stopReason, "USER_INTERRUPT");
  assert.deepEqual(fixture.said(), ["user: t", "ann: so"]);
  assert.match((await fixture.team.run()).stopReason ?? "", /^Maximum number of turns/);
  assert.equal(asked(fixture).length, 1);
});

test("the rules of a team apply to its nested teams", async () => {
  const write = testTool("write");
  const cat = new ScriptedModel(ask(call("1", "write")));
  const inner = {
    name: "Inner",
    kind: "roundRobin" as const,
    participants: [{ name: "cat", model: "cat", tools: ["write"] }],
  };
  const fixture = watched(
    { when: { tool: { name: "write" }, participant: "cat" }, reason: "no writing" },
    { speakers: { cat }, tools: [write], participants: [{ name: "lab", kind: "team", team: inner }] },
  );

  const result = await fixture.team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.equal(write.runs.length, 0);
  assert.deepEqual(asked(fixture), ["watch: no writing"]);
});

test("a rule of a nested team watches that team only, and stops the outer team with it", async () => {
  const inner = {
    name: "Inner",
    kind: "roundRobin" as const,
    participants: [{ name: "cat", model: "cat" }],
    maxTurns: 5,
    interrupts: [{ when: { turns: 2 }, reason: "two within" }],
  };
  const fixture = testTeam({
    speakers: names("ann", "cat"),
    participants: [
      { name: "ann", model: "ann" },
      { name: "lab", kind: "team", team: inner },
    ],
    graceMs: 1,
  });

  const result = await fixture.team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(asked(fixture), ["watch: two within"]);
  assert.ok(
    fixture.events.some(
      (event) => event.type === "interrupt/requested" && isDeepStrictEqual(event.scope, { participant: "lab" }),
    ),
  );
  assert.equal(fixture.team.state.inner?.["lab"]?.turn, 2);
});

test("a watch function interrupts by the events it gets, and is not called for interrupts", async () => {
  const seen: TeamEvent["type"][] = [];
  const fixture = testTeam({
    speakers: names("ann", "bob"),
    maxTurns: 4,
    watch: (event, team) => {
      seen.push(event.type);
      return team.state.turn === 1 ? { reason: "one is enough", severity: "stop" } : undefined;
    },
  });

  const result = await fixture.team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(fixture.said(), ["user: t", "ann: ann"]);
  assert.deepEqual(asked(fixture), ["watch: one is enough"]);
  assert.ok(seen.includes("message/added") && seen.every((type) => !type.startsWith("interrupt/")));
});

test("a watch function that throws interrupts the run", async () => {
  const fixture = testTeam({
    speakers: names("ann", "bob"),
    maxTurns: 4,
    watch: () => {
      throw new Error("no such list");
    },
  });

  const result = await fixture.team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(asked(fixture), ["watch: The watch function failed: no such list"]);
});

test("a watch function whose interrupt is refused still interrupts the run", async () => {
  for (const wrong of [
    { scope: { participant: "ann" }, severity: "reset" },
    { scope: { participant: "zoe" } },
  ] as const) {
    const fixture = testTeam({
      speakers: names("ann", "bob"),
      maxTurns: 4,
      watch: (event) => (event.type === "reasoning/start" ? { reason: "stop", ...wrong } : undefined),
    });

    const result = await fixture.team.run("t");

    assert.equal(result.stopReason, "USER_INTERRUPT");
    assert.match(String(asked(fixture)), /^watch: The watch failed: \S/);
    assert.equal(fixture.said()[0], "user: t");
  }
});

test("a rule of a nested team with the severity reset clears the whole team", async () => {
  const fixture = testTeam({
    speakers: names("ann"),
    participants: [
      {
        name: "lab",
        kind: "team",
        team: {
          name: "Lab",
          kind: "roundRobin",
          participants: [{ name: "ann" }],
          interrupts: [{ when: { participant: "ann" }, severity: "reset", reason: "over" }],
        },
      },
    ],
    maxTurns: 2,
  });
  const completed = fixture.next("interrupt/completed");

  const result = await fixture.team.run("t");
  await completed;

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual([fixture.said(), fixture.team.state.status], [[], "idle"]);
});

test("a listener of the team sees each interrupt, who requested it and why", async () => {
  const { team, next } = watched({ name: "budget", when: { turns: 1 }, reason: "spent" }, { speakers: names("ann") });
  const heard: string[] = [];
  team.onEvent((event) => {
    if (event.type === "interrupt/requested") heard.push(`${event.by}, ${event.reason}`);
    if (event.type === "interrupt/completed") heard.push(`${event.stopReason}`);
  });

  const completed = next("interrupt/completed");
  await team.run("t");
  await completed;

  assert.deepEqual(heard, ["budget, spent", "USER_INTERRUPT"]);
});
