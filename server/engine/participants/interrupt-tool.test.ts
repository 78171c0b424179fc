import assert from "node:assert/strict";
import { test } from "node:test";
import type { Capability } from "../../../shared/contract/definition.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { INTERRUPT_TEAM } from "./interrupt-tool.ts";

const interrupt = (input: object) => ask(call("1", INTERRUPT_TEAM, input));

function guarded(capabilities: Capability[], guard: ScriptedModel, more: Partial<TestTeamOptions> = {}): TestTeam {
  return testTeam({
    speakers: { guard, ...names("ann") },
    more: { guard: { capabilities } },
    maxTurns: 4,
    graceMs: 1,
    ...more,
  });
}

const outputs = ({ events }: TestTeam): unknown[] =>
  events.flatMap((event) => (event.type === "tool/executed" ? [event.output] : []));

test("a watchdog interrupts the team and still completes its own message", async () => {
  const guard = new ScriptedModel(interrupt({ reason: "the plan deletes files" }), say("I stopped this."));
  const { team, said, events } = guarded([{ kind: "interrupt", to: "*" }], guard);

  const result = await team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(said(), ["user: t", "guard: I stopped this."]);
  assert.equal(team.state.status, "paused");
  const request = events.find((event) => event.type === "interrupt/requested");
  assert.ok(request?.type === "interrupt/requested");
  assert.deepEqual([request.by, request.reason, request.grace], ["guard", "the plan deletes files", "turn"]);

  const resumed = await team.run();
  assert.equal(resumed.messages[0]?.source, "ann");
});

test("with the severity stop, the next task starts over", async () => {
  const guard = new ScriptedModel(interrupt({ reason: "done", severity: "stop" }), say("over"));
  const { team } = guarded([{ kind: "interrupt", to: ["*"] }], guard);
  await team.run("t");
  assert.equal(team.state.status, "idle");
});

test("a participant that speaks at the same time is stopped immediately", async () => {
  const ann = new ScriptedModel([...say("on and "), { type: "wait", until: new Promise<never>(() => {}) }]);
  const speaking = Promise.withResolvers<void>();
  const guard = new ScriptedModel(
    [{ type: "wait", until: speaking.promise }, ...interrupt({ reason: "enough", participant: "ann" })],
    say("ann is stopped."),
  );
  const fixture = guarded([{ kind: "interrupt", to: "ann" }], guard, {
    speakers: { guard, ann },
    kind: "graph",
    graph: { edges: [], entry: ["guard", "ann"] },
  });
  fixture.team.onEvent((event) => {
    if (event.type === "message/chunk" && event.source === "ann") speaking.resolve();
  });

  const result = await fixture.team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(fixture.said().sort(), ["ann: on and …", "guard: ann is stopped.", "user: t"]);
  assert.deepEqual(outputs(fixture), ["ann was interrupted."]);
});

test("it cannot exceed its capability, and never clears the thread", async () => {
  const wrong = [{ reason: "r" }, { reason: "r", participant: "bob" }, { participant: "ann" }];
  for (const input of [...wrong, { reason: "r", participant: "ann", severity: "reset" }]) {
    const { team, events } = guarded(
      [{ kind: "interrupt", to: ["ann"] }],
      new ScriptedModel(interrupt(input), say("so be it")),
    );
    const result = await team.run("t");
    assert.match(result.stopReason ?? "", /^Maximum number of turns/, JSON.stringify(input));
    assert.ok(events.some((event) => event.type === "tool/executed" && event.isError));
  }
});

test("a participant without a turn in progress is not interrupted, and the result says so", async () => {
  const guard = new ScriptedModel(interrupt({ reason: "r", participant: "ann" }), say("ok"));
  const fixture = guarded([{ kind: "interrupt", to: "ann" }], guard);
  await fixture.team.run("t");
  assert.deepEqual(outputs(fixture), ["ann was not interrupted: it has no turn in progress."]);
  assert.ok(!fixture.types().includes("interrupt/requested"));
});

test("without the capability there is no such tool", async () => {
  for (const capabilities of [[], [{ kind: "interrupt" }], [{ kind: "reasoning/interrupt", to: "*" }]]) {
    const guard = new ScriptedModel(interrupt({ reason: "r" }), say("ok"));
    const fixture = guarded(capabilities, guard);
    await fixture.team.run("t");
    assert.ok(!guard.requests[0]?.tools.some(({ name }) => name === INTERRUPT_TEAM));
    assert.deepEqual(outputs(fixture), [`There is no tool "${INTERRUPT_TEAM}"; the tools are none.`]);
  }
});

test("a watchdog in a nested team also stops the outer teams", async () => {
  const guard = new ScriptedModel(interrupt({ reason: "r" }), say("I stopped this."));
  const team = {
    name: "Inner",
    kind: "roundRobin" as const,
    participants: [
      { name: "guard", model: "guard", capabilities: [{ kind: "interrupt", to: "*" }] },
      { name: "cat", model: "cat" },
    ],
    maxTurns: 2,
  };
  const fixture = testTeam({
    speakers: { guard, ...names("cat", "ann") },
    participants: [
      { name: "lab", kind: "team", team },
      { name: "ann", model: "ann" },
    ],
    maxTurns: 2,
  });

  const result = await fixture.team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(
    fixture.team.state.inner?.["lab"]?.thread.map(({ source }) => source),
    ["user", "guard"],
  );
});
