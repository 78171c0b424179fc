import assert from "node:assert/strict";
import { test } from "node:test";
import { HistoryTotals } from "../log/history-totals.ts";
import { MemoryJournal } from "../testing/memory-journal.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const never = new Promise<never>(() => {});

test("who spoke, how often, and what they said last", async () => {
  const { team } = testTeam({ speakers: names("ann", "bob"), termination: { textMention: { text: "stop" } } });
  team.onEvent((event) => {
    if (event.type === "message/added" && team.messages.length === 4) void team.interrupt();
  });
  await team.run("t");

  assert.deepEqual(team.inspect().speakers, [
    { participant: "ann", activity: "idle", turns: 2, lastLine: "ann" },
    { participant: "bob", activity: "idle", turns: 1, lastLine: "bob" },
  ]);
});

test("what each model would be shown: how many items and tokens, and what its context leaves out", async () => {
  const bob = new ScriptedModel(say("Two words"));
  const { team } = testTeam({
    speakers: { ...names("ann"), bob },
    more: { bob: { context: { kind: "headAndTail", head: 1, tail: 1 } } },
    maxTurns: 4,
  });
  await team.run("Do it\nnow");

  const [ann, second] = team.inspect().contexts;

  assert.deepEqual(ann?.tail, ["user: Do it", "ann: ann", "bob: Two words", "ann: ann", "bob: done"]);
  assert.deepEqual([ann?.items, ann?.dropped, ann?.firstShown], [5, 0, "user: Do it"]);
  assert.deepEqual(second?.tail, ["user: Do it", "system: [Part of the conversation is omitted here.]", "bob: done"]);
  assert.deepEqual([second?.items, second?.dropped], [3, 3]);
  assert.ok((ann?.tokens ?? 0) > 10 && (second?.tokens ?? 0) > 10);
});

test("the first look at a team that was opened reads the end of its history, and no more", async () => {
  const options: TestTeamOptions = {
    speakers: names("ann", "bob"),
    more: { bob: { context: { kind: "buffered", size: 3 } } },
    maxTurns: 20,
    termination: { maxMessages: 1_000 },
  };
  const journal = new MemoryJournal();
  const { team, reopened } = testTeam({ ...options, journal });
  await team.run("t");
  team.reset();
  await team.run("t");
  const { events } = journal;
  const totals = new HistoryTotals();
  for (const event of events.slice(0, -10)) totals.add(event);
  const split = events.length - 10;
  const opened = reopened({
    stored: {
      state: { ...team.state, conditionMessages: 2 },
      history: () => assert.fail("the whole history was read"),
      recent: async () => ({
        totals,
        until: events[split - 1]?.seq ?? 0,
        after: events[split - 61]?.seq ?? 0,
        events: events.slice(split - 60, split),
        later: events.slice(split),
        from: (seq) => events.filter((event) => event.seq >= seq).slice(0, 20),
      }),
    },
  });

  await opened.team.prepareInspection();
  assert.deepEqual(opened.team.inspect().contexts, team.inspect().contexts);
  assert.equal(opened.team.inspect().contexts[0]?.items, 21);
});

test("tools in flight, pending calls, waiting messages and the manager's note", async () => {
  const ann = new ScriptedModel(ask(call("c1", "slow"), call("c2", "pay")));
  const tools = [testTool("slow", () => never), testTool("pay", () => "", { approval: "ask" })];
  const { team, next, withIds } = testTeam({ speakers: { ann, bob: () => "bob" }, tools, graceMs: 1 });
  const waits = next("tool/interrupted");
  const run = team.run("t");
  await waits;

  const inspected = team.inspect();

  assert.deepEqual(withIds(inspected.tools), [
    { ref: "c1", name: "slow", participant: "ann", mayHaveHadEffects: true, state: "running", onInterrupt: "abort" },
  ]);
  assert.deepEqual(withIds(inspected.pendingTools.map(({ ref }) => ref)), ["c2"]);
  await team.interrupt();
  await run;
  assert.deepEqual(
    team.inspect().tools.map(({ state }) => state),
    ["abandoned"],
  );
});

test("the progress of the conditions, including input left unchecked by an interrupt, also after a restart of the host", async () => {
  const ann = new ScriptedModel([...say("half"), { type: "wait", until: never }]);
  const { team, next, reopened } = testTeam({
    speakers: { ...names("bob"), ann },
    termination: {
      any: [{ maxMessages: 9 }, { all: [{ external: true }, { textMention: { text: "done", sources: ["bob"] } }] }],
    },
    maxTurns: 7,
  });
  const spoken = next("message/chunk");
  const run = team.run("t");
  await spoken;
  await team.interrupt();
  await run;

  const conditions = team.inspect().conditions;

  assert.deepEqual(
    conditions.map(({ kind, progress, fired, together }) => [kind, progress, fired, together]),
    [
      ["maxMessages", "3 of 9 messages", false, undefined],
      ["external", "not requested", false, true],
      ["textMention", "not yet", false, true],
      ["maxTurns", "1 of 7 turns", false, undefined],
    ],
  );
  assert.equal(conditions[2]?.text, "Ends the run when bob says 'done'.");
  assert.deepEqual(reopened().team.inspect().conditions, conditions);
  assert.deepEqual(team.inspect().conditions, conditions, "looking changes no count");
});

test("speakers, contexts and conditions of a nested team have the path to it", async () => {
  const { team } = testTeam({
    speakers: names("ann"),
    participants: [
      {
        name: "research",
        kind: "team",
        team: {
          name: "R",
          kind: "roundRobin",
          participants: [{ name: "ann" }],
          maxTurns: 1,
          termination: { stopMessage: true },
        },
      },
    ],
    maxTurns: 1,
  });
  await team.run("t");

  const { speakers, contexts, conditions } = team.inspect();

  assert.deepEqual(
    [speakers, contexts].map((all) => all.map(({ participant, path }) => [participant, path])),
    [
      [
        ["research", undefined],
        ["ann", ["research"]],
      ],
      [["ann", ["research"]]],
    ],
  );
  assert.deepEqual(
    conditions.map(({ kind, path }) => [kind, path]),
    [
      ["maxTurns", undefined],
      ["stopMessage", ["research"]],
      ["maxTurns", ["research"]],
    ],
  );
});
