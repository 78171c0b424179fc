import assert from "node:assert/strict";
import { test } from "node:test";
import type { InterruptRule } from "../../../shared/contract/interrupt-rule.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, names, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** Tests that a rule stops a call or a turn once: going on passes it, and the next occurrence is stopped again. */

function watched(rule: Omit<InterruptRule, "reason">, options: TestTeamOptions): TestTeam {
  return testTeam({ maxTurns: 2, graceMs: 1, ...options, interrupts: [{ reason: "watched", ...rule }] });
}

const asked = ({ events }: Pick<TestTeam, "events">): number =>
  events.filter(({ type }) => type === "interrupt/requested").length;

const remove = (id: string, path: string) => ask(call(id, "remove", { path }));
const removing = { when: { tool: { name: "remove", arguments: { contains: "a" } } } } as const;

/** Ann removes files; what was removed is in `removed`. */
function remover(rule: Omit<InterruptRule, "reason">, ...answers: ConstructorParameters<typeof ScriptedModel>) {
  const removed: unknown[] = [];
  const tool = testTool("remove", (input) => {
    removed.push(input);
    return "removed";
  });
  const options = { speakers: { ann: new ScriptedModel(...answers), ...names("bob") }, tools: [tool] };
  return { fixture: watched(rule, options), options, removed };
}

test("a call that a rule stopped runs when the run goes on; another one, and the same once more, are stopped again", async () => {
  const { fixture, removed } = remover(
    removing,
    remove("1", "a"),
    remove("2", "a"),
    remove("3", "ab"),
    remove("4", "ab"),
    remove("5", "a"),
    remove("6", "a"),
    say("done"),
  );
  const { team } = fixture;
  const stops: string[] = [];
  for (let runs = 0; runs < 4; runs++) {
    const { stopReason } = await team.run(runs === 0 ? "clean up" : undefined);
    stops.push(`${stopReason}: ${JSON.stringify(removed)}`);
  }
  assert.deepEqual(stops, [
    "USER_INTERRUPT: []",
    'USER_INTERRUPT: [{"path":"a"}]',
    'USER_INTERRUPT: [{"path":"a"},{"path":"ab"}]',
    'Maximum number of turns 2 reached.: [{"path":"a"},{"path":"ab"},{"path":"a"}]',
  ]);
  assert.equal(asked(fixture), 3);
});

test("in the participant's next turn the same call is stopped again", async () => {
  const { fixture, removed } = remover(removing, remove("1", "a"), remove("2", "a"), say("done"), remove("3", "a"));
  const { team } = fixture;
  await team.run("clean up");
  await team.run();
  assert.equal(removed.length, 1);
  assert.equal((await team.run()).stopReason, "USER_INTERRUPT");
  assert.equal(removed.length, 1);
});

test("with a new task the call is stopped again", async () => {
  const { fixture, removed } = remover(removing, remove("1", "a"), remove("2", "a"));
  const { team } = fixture;
  await team.run("clean up");
  assert.equal((await team.run("tidy up")).stopReason, "USER_INTERRUPT");
  assert.deepEqual([asked(fixture), removed], [2, []]);
});

test("the call runs when the run goes on in another process, too", async () => {
  const { fixture, options, removed } = remover(removing, remove("1", "a"));
  await fixture.team.run("clean up");
  const ann = new ScriptedModel(remove("2", "a"), remove("3", "a"));
  const { team } = fixture.reopened({ speakers: { ...options.speakers, ann } });
  team.recover();
  assert.equal((await team.run()).stopReason, "USER_INTERRUPT");
  assert.deepEqual(removed, [{ path: "a" }]);
});

test("a turn whose message a rule stopped passes when the run goes on; the next one is stopped", async () => {
  const wait = { type: "wait" as const, until: new Promise<void>(() => {}) };
  const ann = new ScriptedModel([...say("the password"), wait], say(" is: password"), [...say("password"), wait]);
  const fixture = watched({ when: { message: { contains: "password" } } }, { speakers: { ann, ...names("bob") } });
  const { team, said } = fixture;
  assert.equal((await team.run("t")).stopReason, "USER_INTERRUPT");
  assert.match((await team.run()).stopReason ?? "", /^Maximum/);
  assert.deepEqual(said(), ["user: t", "ann: the password…", "ann:  is: password", "bob: bob"]);
  assert.equal((await team.run()).stopReason, "USER_INTERRUPT");
  assert.equal(asked(fixture), 2);
});

test("the turn of a participant that a rule names passes when the run goes on; the next one is stopped", async () => {
  const fixture = watched({ when: { participant: "ann" } }, { speakers: names("ann", "bob") });
  const { team, said } = fixture;
  assert.equal((await team.run("t")).stopReason, "USER_INTERRUPT");
  assert.match((await team.run()).stopReason ?? "", /^Maximum/);
  assert.deepEqual(said(), ["user: t", "ann: ann", "bob: bob"]);
  assert.equal((await team.run()).stopReason, "USER_INTERRUPT");
  assert.equal(asked(fixture), 2);
});

test("a turn that a rule lets end is over: the next one is stopped", async () => {
  const fixture = watched({ when: { participant: "ann" }, grace: "turn" }, { speakers: names("ann") });
  const { team, said } = fixture;
  await team.run("t");
  await team.run();
  assert.deepEqual(said(), ["user: t", "ann: ann", "ann: ann"]);
  assert.equal(asked(fixture), 2);
});

test("a turn that is cut short again before the call still passes it", async () => {
  const wait = { type: "wait" as const, until: new Promise<void>(() => {}) };
  const { fixture, removed } = remover(removing, remove("1", "a"), [...say("Now, "), wait], remove("2", "a"), say("."));
  const { team, next } = fixture;
  await team.run("clean up");
  const interrupted = next("message/chunk").then(() => team.interrupt());
  await team.run();
  await interrupted;
  assert.match((await team.run()).stopReason ?? "", /^Maximum/);
  assert.equal(removed.length, 1);
});

test("a nested participant's call passes in the nested team", async () => {
  const { removed, options } = remover(removing);
  const ann = new ScriptedModel(remove("1", "a"), remove("2", "a"), say("done"));
  const fixture = watched(removing, {
    ...options,
    speakers: { ...names("bob"), ann },
    participants: [
      {
        name: "group",
        kind: "team",
        team: {
          name: "Group",
          kind: "roundRobin",
          participants: [{ name: "ann", model: "ann", tools: ["remove"] }],
          maxTurns: 1,
        },
      },
      { name: "bob" },
    ],
  });
  const { team, said } = fixture;
  await team.run("clean up");
  assert.match((await team.run()).stopReason ?? "", /^Maximum/);
  assert.deepEqual([removed.length, said().at(-2)], [1, "group: done"]);
});

test("an answer to a directed message in between neither passes nor takes what the turn may pass", async () => {
  const { fixture, removed } = remover(
    removing,
    remove("1", "a"),
    remove("2", "a"),
    remove("3", "a"),
    say("answered"),
    remove("4", "a"),
    say("done"),
  );
  const { team, said } = fixture;
  await team.run("clean up");
  assert.equal((await team.sendUserMessage("ann", ["Why?"], afterReply("pause"))).stopReason, "USER_INTERRUPT");
  assert.deepEqual(removed, []);
  assert.equal((await team.run()).stopReason, "USER_MESSAGE_COMPLETED");
  await team.run();
  assert.deepEqual([asked(fixture), removed.length], [2, 2]);
  assert.deepEqual(said().slice(0, 4), ["user: clean up", "user: Why?", "ann: answered", "ann: done"]);
});
