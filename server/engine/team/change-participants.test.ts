import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import type { ParticipantChange } from "../../../shared/contract/participant-change.ts";
import { AnsweringModel, textOfRequest } from "../testing/answering-model.ts";
import { foldOf, type MemoryJournal } from "../testing/memory-journal.ts";
import { ask, call, ScriptedModel } from "../testing/scripted-model.ts";
import { names, TEAM_ID, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** The definition that each team began with. */
const begun = new WeakMap<MemoryJournal, TeamDefinition>();

/** The team after a change of its participants, as a new process finds it. */
function changed(
  before: TestTeam,
  definition: (from: TeamDefinition) => TeamDefinition,
  changes: ParticipantChange[],
  speakers: TestTeamOptions["speakers"],
): TestTeam {
  before.team.changeParticipants({
    definition: definition(before.team.state.definition ?? before.definition),
    changes,
  });
  const { journal, team } = before;
  const original = begun.get(journal) ?? before.definition;
  begun.set(journal, original);
  assert.deepEqual(team.state, foldOf(journal.kept, TEAM_ID, original));
  const next = before.reopened({ speakers, stored: journal.stored(TEAM_ID, original) });
  assert.deepEqual(next.team.state, before.team.state);
  return next;
}

const withMembers =
  (change: (members: readonly ParticipantDefinition[]) => readonly ParticipantDefinition[]) =>
  (from: TeamDefinition): TeamDefinition => ({ ...from, participants: [...change(from.participants)] });

const member = (name: string): ParticipantDefinition => ({ name });

describe("a change of participants", () => {
  it("keeps the thread, the order and what was counted, whoever leaves, comes or takes a place", async () => {
    const speakers = names("ann", "bob", "cid", "dora");
    const before = testTeam({ speakers: names("ann", "bob", "cid"), maxTurns: 2 });
    await before.team.run("t");
    const without = changed(
      before,
      withMembers((all) => all.filter(({ name }) => name !== "bob")),
      [{ kind: "removed", name: "bob" }],
      speakers,
    );
    assert.deepEqual(without.team.state.former, ["bob"]);
    await without.team.run("go on");
    assert.deepEqual(without.said(), ["user: t", "ann: ann", "bob: bob", "user: go on", "cid: cid", "ann: ann"]);
    assert.deepEqual(without.team.state.usage, before.team.state.usage);
    const replaced = changed(
      without,
      withMembers((all) => all.map((one) => (one.name === "ann" ? member("dora") : one))),
      [{ kind: "replaced", name: "ann", by: "dora" }],
      speakers,
    );
    assert.equal(replaced.team.state.lastSpeaker, "dora");
    assert.deepEqual(replaced.team.state.former, ["bob", "ann"]);
    const added = changed(
      replaced,
      withMembers((all) => [...all, member("bob")]),
      [{ kind: "added", name: "bob" }],
      speakers,
    );
    await added.team.run("more");
    assert.deepEqual(added.team.state.former, ["ann"]);
    assert.deepEqual(added.said().slice(-2), ["cid: cid", "bob: bob"]);
    assert.deepEqual(
      added.team.state.definition?.participants.map(({ name }) => name),
      ["dora", "cid", "bob"],
    );
  });

  it("is taken back with the state of before, and comes with a state of after", async () => {
    const before = testTeam({ speakers: names("ann", "bob"), maxTurns: 1 });
    await before.team.run("t");
    const saved = before.team.save();
    const next = changed(
      before,
      withMembers(() => [member("cid")]),
      [
        { kind: "removed", name: "bob" },
        { kind: "replaced", name: "ann", by: "cid" },
      ],
      names("cid"),
    );
    const after = next.team.save();
    assert.deepEqual(after.team.participants, ["cid"]);
    next.team.load({ ...saved, definition: before.definition });
    assert.deepEqual(
      next.team.state.participants.map(({ name }) => name),
      ["ann", "bob"],
    );
    next.team.load(after);
    assert.deepEqual(next.team.save(), after);
  });

  it("cancels the calls and withdraws the messages of one who leaves, and hands the messages on to one who comes", async () => {
    const model = new ScriptedModel(ask(call("c", "ask")));
    const before = testTeam({
      speakers: { ann: model, bob: () => "bob" },
      tools: [testTool("ask", () => "asked", { approval: "ask" })],
    });
    await before.team.run("t");
    await Promise.all(["ann", "bob"].map((to) => before.team.sendUserMessage(to, ["?"], { delivery: "queue" })));
    const members = before.definition.participants;
    const next = changed(
      before,
      (from) => ({ ...from, participants: [...members.slice(0, 1), member("cid")] }),
      [{ kind: "replaced", name: "bob", by: "cid" }],
      { ann: model, cid: () => "cid" },
    );
    assert.deepEqual(
      next.team.state.queued.map(({ to }) => to),
      ["ann", "cid"],
    );
    assert.equal(next.team.state.pendingTools.length, 1);
    const last = changed(
      next,
      withMembers((all) => all.slice(1)),
      [{ kind: "removed", name: "ann" }],
      names("cid"),
    );
    assert.deepEqual([last.team.state.queued.length, last.team.state.pendingTools.length], [1, 0]);
    assert.deepEqual([last.team.state.status, last.team.state.openTurns], ["paused", []]);
    const results = last.team.save().transcript.filter(({ kind }) => kind === "result");
    assert.match(JSON.stringify(results), /its participant is not in the team any more/);
  });

  it("sends a swarm back to who handed over to one that is gone", async () => {
    const speakers = {
      ann: () => ({ type: "HandoffMessage" as const, content: "over", metadata: { target: "bob" } }),
      bob: () => "bob",
      cid: () => "cid",
    };
    const before = testTeam({ kind: "swarm", speakers, maxTurns: 1 });
    await before.team.run("t");
    const next = changed(
      before,
      withMembers((all) => all.filter(({ name }) => name !== "bob")),
      [{ kind: "removed", name: "bob" }],
      { ...speakers, ann: () => "ann" },
    );
    await next.team.run("go on");
    assert.equal(next.said().at(-1), "ann: ann");
  });

  it("leads a graph past one that is gone, along the edges that are given with the change", async () => {
    const edge = (from: string, to: string) => ({ from, to });
    const before = testTeam({
      kind: "graph",
      speakers: names("ann", "bob", "cid"),
      graph: { edges: [edge("ann", "bob"), edge("bob", "cid")] },
    });
    const paused = before.next("speaker/selected", 2).then(() => before.team.interrupt());
    await before.team.run("t");
    await paused;
    const next = changed(
      before,
      (from) => ({
        ...from,
        participants: from.participants.filter(({ name }) => name !== "bob"),
        graph: { edges: [edge("ann", "cid")] },
      }),
      [{ kind: "removed", name: "bob" }],
      names("ann", "cid"),
    );
    const { stopReason } = await next.team.run();
    assert.deepEqual(next.said(), ["user: t", "ann: ann", "cid: cid"]);
    assert.equal(stopReason, "The graph is complete.");
  });

  it("gives the place of a running graph’s participant, with its edges, to the one that replaces it", async () => {
    const before = testTeam({
      kind: "graph",
      speakers: names("ann", "bob", "cid"),
      graph: {
        edges: [
          { from: "ann", to: "bob" },
          { from: "bob", to: "cid" },
        ],
      },
    });
    const paused = before.next("speaker/selected", 2).then(() => before.team.interrupt());
    await before.team.run("t");
    await paused;
    const next = changed(
      before,
      (from) => ({
        ...from,
        participants: from.participants.map((one) => (one.name === "bob" ? member("dora") : one)),
        graph: {
          edges: [
            { from: "ann", to: "dora" },
            { from: "dora", to: "cid" },
          ],
        },
      }),
      [{ kind: "replaced", name: "bob", by: "dora" }],
      names("ann", "dora", "cid"),
    );
    await next.team.run();
    assert.deepEqual(next.said(), ["user: t", "ann: ann", "dora: dora", "cid: cid"]);
  });

  it("has an orchestrator plan for the new members, and tell the team", async () => {
    const chief = new AnsweringModel((request) => {
      const text = textOfRequest(request);
      if (request.output === undefined)
        return text.includes("The user has changed who is in the team") ? "NEW" : "PLAN";
      const next = text.includes("dora") ? "dora" : "ann";
      const answer = (value: unknown) => ({ reason: "", answer: value });
      return JSON.stringify({
        is_request_satisfied: answer(false),
        is_in_loop: answer(false),
        is_progress_being_made: answer(true),
        next_speaker: answer(next),
        instruction_or_question: answer("Go."),
      });
    });
    const participants = [
      { name: "ann", description: "Is ann." },
      { name: "bob", description: "Is bob." },
    ];
    const magentic = { model: "chief" };
    const before = testTeam({
      kind: "magentic",
      magentic,
      participants,
      speakers: { ...names("ann", "bob"), chief },
      maxTurns: 1,
    });
    await before.team.run("t");
    const next = changed(
      before,
      withMembers((all) => [...all, { name: "dora", description: "Is dora." }]),
      [{ kind: "added", name: "dora" }],
      { ...names("ann", "bob", "dora"), chief },
    );
    await next.team.run();
    const told = next.said().find((line) => line.includes("There are other members in the team now"));
    assert.match(told ?? "", /Is dora\.(?:.|\n)*New plan\n\nNEW/);
    assert.equal(next.said().at(-1), "dora: dora");
  });

  it("is refused during a run", async () => {
    const { team, definition, next } = testTeam({ speakers: names("ann", "bob"), maxTurns: 2 });
    const asked = next("speaker/selected").then(() =>
      assert.throws(() => team.changeParticipants({ definition, changes: [] }), /is running; interrupt it/),
    );
    await team.run("t");
    await asked;
  });

  it("starts a nested team over that has left and comes back", async () => {
    const inner = (name: string): ParticipantDefinition => ({
      name: "team",
      kind: "team",
      team: { name: "Inner", kind: "roundRobin", participants: [member(name)], maxTurns: 1 },
    });
    const before = testTeam({
      speakers: names("ann", "bob", "cid"),
      participants: [member("ann"), inner("bob")],
      maxTurns: 2,
    });
    await before.team.run("t");
    assert.equal(before.team.state.inner?.["team"]?.threadLength, 3);
    const next = changed(
      before,
      withMembers(([first]) => (first === undefined ? [] : [first, inner("cid")])),
      [{ kind: "replaced", name: "team", by: "team" }],
      names("ann", "bob", "cid"),
    );
    assert.equal(next.team.state.inner?.["team"]?.threadLength, 0);
    assert.equal(next.team.save().inner?.["team"]?.transcript.length, 0);
    await next.team.run("again");
    assert.equal(next.said().at(-1), "team: cid");
  });
});
