import assert from "node:assert/strict";
import { test } from "node:test";
import type { GavelError } from "../../../shared/contract/errors.ts";
import { aborted } from "../testing/scripted-model.ts";
import { afterReply, names, type TestTeam, testTeam } from "../testing/test-team.ts";

/** Ann and the user, called "me" in the team. */
const withUser = (): TestTeam =>
  testTeam({ speakers: names("ann"), participants: [{ name: "ann" }, { name: "me", kind: "user" }], maxTurns: 3 });

const userWithin = (): TestTeam =>
  testTeam({
    speakers: names("ann", "bob"),
    participants: [
      {
        name: "research",
        kind: "team",
        team: {
          name: "Research",
          kind: "roundRobin",
          participants: [{ name: "ann" }, { name: "me", kind: "user" }, { name: "bob" }],
          maxTurns: 3,
        },
      },
    ],
    maxTurns: 1,
  });

test("the team pauses at the user's turn, and the next task is the user's message in it", async () => {
  const run = withUser();

  const result = await run.team.run("Begin");

  assert.equal(result.stopReason, "USER_INPUT_REQUESTED");
  assert.equal(run.team.state.status, "paused");
  assert.deepEqual(run.team.state.awaitingUser, { participant: "me" });

  const after = await run.team.run("My word");

  assert.equal(after.stopReason, "Maximum number of turns 3 reached.");
  assert.deepEqual(run.said(), ["user: Begin", "ann: ann", "me: My word", "ann: ann"]);
  assert.equal(run.team.state.awaitingUser, undefined);
  assert.deepEqual(run.folded(), run.team.state);
});

test("without a message of the user the turn cannot continue, and the error says so", async () => {
  const run = withUser();
  await run.team.run("Begin");

  await assert.rejects(run.team.run(), (error: GavelError) => {
    assert.equal(error.data.code, "InvalidResume");
    assert.match(error.message, /It is me's turn/);
    return true;
  });
  assert.deepEqual(run.team.state.awaitingUser, { participant: "me" });
});

test("the user's turn survives a restart, and saving and loading", async () => {
  const run = withUser();
  await run.team.run("Begin");

  const again = run.reopened();
  again.team.recover();
  const other = withUser();
  other.team.load(again.team.save());

  for (const { team, said } of [again, other]) {
    await team.run("My word");
    assert.deepEqual(said().slice(2), ["me: My word", "ann: ann"]);
  }
});

test("a message to another participant leaves the user's turn open", async () => {
  const run = withUser();
  await run.team.run("Begin");

  await run.team.sendUserMessage("ann", ["And you?"], afterReply("pause"));

  assert.deepEqual(run.team.state.awaitingUser, { participant: "me" });
  await run.team.run("My word");
  assert.deepEqual(run.said().slice(2), ["user: And you?", "ann: ann", "me: My word"]);
});

test("after a stop it is no longer the user's turn", async () => {
  const run = withUser();
  await run.team.run("Begin");

  await run.team.interrupt({ severity: "stop" });

  assert.equal(run.team.state.awaitingUser, undefined);
  assert.equal(run.team.state.status, "idle");
  await run.team.run("Again");
  assert.deepEqual(run.said().slice(2), ["user: Again"]);
});

test("a user in a nested team is asked by the outer team, and answers in the nested one", async () => {
  const run = userWithin();

  const result = await run.team.run("Begin");

  assert.equal(result.stopReason, "USER_INPUT_REQUESTED");
  assert.deepEqual(run.team.state.awaitingUser, { participant: "me", path: ["research"] });

  await run.team.run("My word");

  assert.deepEqual(
    run.team.state.inner?.["research"]?.thread.map(({ source, content }) => `${source}: ${content}`),
    ["user: Begin", "ann: ann", "me: My word", "bob: bob"],
  );
  assert.deepEqual(run.said(), ["user: Begin", "research: bob"]);
  assert.equal(run.team.state.awaitingUser, undefined);
  assert.deepEqual(run.folded(), run.team.state);
});

test("while a user participant waits beside a speaker that was cut short, a run without a task takes up the speaker", async () => {
  const graph = {
    edges: [
      { from: "ann", to: "me" },
      { from: "ann", to: "bob" },
      { from: "bob", to: "dan" },
      { from: "me", to: "cid" },
      { from: "dan", to: "cid" },
    ],
  };
  let times = 0;
  const bob = async (_: unknown, signal: AbortSignal): Promise<string> => {
    if (times++ === 0) await aborted(signal);
    return "bob";
  };
  const make = (): TestTeam =>
    testTeam({
      kind: "graph",
      graph,
      speakers: { ...names("ann", "cid", "dan"), bob },
      participants: [{ name: "ann" }, { name: "me", kind: "user" }, { name: "bob" }, { name: "cid" }, { name: "dan" }],
    });
  for (const where of ["the same process", "another process"]) {
    times = 0;
    const run = make();
    const asked = run.next("userInput/requested");
    const running = run.team.run("Begin");
    await asked;
    await run.team.interrupt();
    assert.equal((await running).stopReason, "USER_INTERRUPT");

    const { team, said } = where === "another process" ? run.reopened() : run;
    assert.equal((await team.run()).stopReason, "USER_INPUT_REQUESTED", where);
    assert.deepEqual(said(), ["user: Begin", "ann: ann", "bob: bob"], where);
    assert.deepEqual(team.state.awaitingUser, { participant: "me" });

    await assert.rejects(team.run(), /It is me's turn/);
    await team.run("My word");
    assert.deepEqual(said().slice(3), ["me: My word", "dan: dan", "cid: cid"], where);
  }
});
