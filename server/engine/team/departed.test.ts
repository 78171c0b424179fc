import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** Tests of a team whose definition loses a participant while something of it is open. */

const pay = testTool("pay", () => "paid", { approval: "ask" });
const bob: ParticipantDefinition = { name: "bob", model: "bob", tools: ["pay"] };
const members: ParticipantDefinition[] = [{ name: "ann" }, bob];
const asking = (): ScriptedModel => new ScriptedModel([...say("I pay. "), ...ask(call("c1", "pay"))], say("bob"));

const speakers = (): Parameters<typeof testTeam>[0]["speakers"] => ({ ...names("ann", "eve"), bob: asking() });
const teamOf = (
  participants: readonly ParticipantDefinition[],
  kind: "roundRobin" | "swarm" = "roundRobin",
  maxTurns = 4,
): TestTeam => testTeam({ speakers: speakers(), participants, tools: [pay], kind, maxTurns });

/** The team as it is opened with other participants: closed by the old definition, or found so by the new one. */
const openings: Readonly<Record<string, (run: TestTeam, participants: readonly ParticipantDefinition[]) => TestTeam>> =
  {
    "when the definition is replaced": (run, participants) => {
      const { definition } = teamOf(participants);
      run.team.beforeRedefinition(definition);
      return reopened(run, participants);
    },
    "when a team is found so": (run, participants) => reopened(run, participants),
  };

function reopened(run: TestTeam, participants: readonly ParticipantDefinition[]): TestTeam {
  const { definition } = teamOf(participants);
  const stored = run.journal.stored("team-1", definition);
  const again = run.reopened({ speakers: speakers(), participants, stored });
  again.team.recover();
  return again;
}

/** A swarm in which ann has spoken. */
async function swarmThatSpoke(): Promise<TestTeam> {
  const run = teamOf(members, "swarm", 1);
  await run.team.run("t");
  return run;
}

for (const [when, open] of Object.entries(openings)) {
  test(`a pending call whose participant is gone is cancelled, and the thread goes on, ${when}`, async () => {
    const run = teamOf(members);
    assert.equal((await run.team.run("t")).stopReason, "TOOL_INTERRUPT");
    const ref = run.ref("c1");

    const { team, said, journal, folded } = open(run, [{ name: "ann" }, { name: "eve" }]);

    const results = journal.events.filter((event) => event.type === "tool/executed");
    assert.deepEqual(
      results.map((event) => [event.ref, event.output, event.isError, event.interrupted]),
      [[ref, "This call was cancelled, because its participant is not in the team any more.", true, true]],
    );
    assert.deepEqual([team.state.pendingTools, team.state.openTurns, team.state.status], [[], [], "paused"]);
    await assert.rejects(team.resolveTools({ restart: [{ ref }] }), { message: `No call ${ref} is pending; none is.` });
    await team.run();
    assert.deepEqual(said().slice(0, 3), ["user: t", "ann: ann", "eve: eve"]);
    assert.equal(folded().pendingTools.length, 0);
  });

  test(`the call of one who is still there stays pending, ${when}`, async () => {
    const cid = { name: "cid", model: "cid", tools: ["pay"] };
    const run = testTeam({
      speakers: { ...speakers(), cid: asking() },
      participants: [{ name: "ann" }, bob, cid],
      tools: [pay],
      kind: "graph",
    });
    await run.team.run("t");
    assert.equal(run.team.state.pendingTools.length, 2);
    const { team } = open(run, members);
    assert.deepEqual(
      team.state.pendingTools.map(({ participant }) => participant),
      ["bob"],
    );
    const { result } = await team.resolveTools({ deny: team.state.pendingTools.map(({ ref }) => ({ ref })) });
    assert.notEqual(result?.status.code, "error");
  });

  test(`a user participant that is gone has no turn, ${when}`, async () => {
    const run = teamOf([{ name: "ann" }, { name: "me", kind: "user" }]);
    assert.equal((await run.team.run("t")).stopReason, "USER_INPUT_REQUESTED");
    const { team, said } = open(run, [{ name: "ann" }, { name: "eve" }]);
    assert.equal(team.state.awaitingUser, undefined);
    await team.run("go on");
    assert.deepEqual(said().slice(2, 4), ["user: go on", "eve: eve"]);
  });

  test(`a message that waits for one who is gone is withdrawn, ${when}`, async () => {
    const run = teamOf(members);
    const speaking = run.next("reasoning/start");
    const running = run.team.run("t");
    await speaking;
    const sent = run.team.sendUserMessage("bob", ["Later"], { delivery: "queue" });
    await running;
    assert.equal(run.team.state.queued.length, 1);
    const { team } = open(run, [{ name: "ann" }, { name: "eve" }]);
    assert.deepEqual(team.state.queued, []);
    await sent;
    assert.equal((await team.run()).status.code, "success");
  });

  test(`in a swarm, the first participant speaks after the last speaker is gone, ${when}`, async () => {
    const { team, said } = open(await swarmThatSpoke(), [{ name: "eve" }]);
    await team.run("go on");
    assert.deepEqual(said().slice(2, 4), ["user: go on", "eve: eve"]);
  });
}

test("what a nested team has open is closed with it, and with its participant", async () => {
  const nested = (inner: readonly ParticipantDefinition[]): ParticipantDefinition => ({
    name: "group",
    kind: "team",
    team: { name: "Group", kind: "roundRobin", participants: [...inner], maxTurns: 2 },
  });
  for (const after of [
    [{ name: "ann" }, nested([{ name: "eve" }])],
    [{ name: "ann" }, { name: "eve" }],
  ]) {
    const run = teamOf([{ name: "ann" }, nested([bob])]);
    await run.team.run("t");
    assert.deepEqual(run.team.state.pendingTools[0]?.path, ["group"]);
    const { team, journal } = openings["when the definition is replaced"]?.(run, after) ?? run;
    assert.equal(
      journal.events.filter((event) => event.type === "tool/executed" && event.path !== undefined).length,
      1,
    );
    assert.deepEqual([team.state.pendingTools, team.state.openTurns, team.state.status], [[], [], "paused"]);
    const { status } = await team.run();
    assert.equal(status.message, undefined);
    const restored = openings["when a team is found so"]?.(run, [{ name: "ann" }, nested([bob])]);
    assert.deepEqual(restored?.team.state.pendingTools, []);
  }
});
