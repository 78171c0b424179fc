import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import type { GavelError } from "../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { MemoryJournal } from "../testing/memory-journal.ts";
import { afterReply, TEAM_ID, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";

const isHandoff = ({ type }: ChatMessage): boolean => type === "HandoffMessage";

/** Hands off to `target` the first time, and speaks from then on. */
const handsOffOnce = (name: string, target: string) => (thread: readonly ChatMessage[]) =>
  thread.some((message) => message.source === name && isHandoff(message))
    ? name
    : { type: "HandoffMessage" as const, content: `over to ${target}`, metadata: { target } };

const me: ParticipantDefinition = { name: "me", kind: "user" };
const withHandoffs: ParticipantDefinition = {
  ...me,
  handoffs: ["ann", { target: "cid", description: "Knows the bills." }],
};
const members = (user: ParticipantDefinition): ParticipantDefinition[] => [
  { name: "ann" },
  { name: "bob" },
  { name: "cid" },
  user,
];

/** A swarm in which ann hands off to bob, and bob to the user. */
const swarm = (user = me, more: Partial<TestTeamOptions> = {}): TestTeam =>
  testTeam({
    kind: "swarm",
    speakers: { ann: handsOffOnce("ann", "bob"), bob: handsOffOnce("bob", "me"), cid: () => "cid" },
    participants: members(user),
    termination: { maxMessages: 6 },
    ...more,
  });

test("in a swarm the user's words go back to whoever handed over, who keeps the turn", async () => {
  const { team, said, folded } = swarm();
  assert.equal((await team.run("t")).stopReason, "USER_INPUT_REQUESTED");

  await team.run("My word");

  assert.deepEqual(said().slice(3), ["me: My word", "bob: bob", "bob: bob"]);
  assert.deepEqual(folded(), team.state);
});

test("they go back after a restart, and after saving and loading", async () => {
  const waiting = swarm();
  await waiting.team.run("t");
  const loading = swarm();
  loading.team.load(JSON.parse(JSON.stringify(waiting.team.save())));

  for (const { team, said } of [waiting.reopened(), loading]) {
    await team.run("My word");
    assert.deepEqual(said().slice(3), ["me: My word", "bob: bob", "bob: bob"]);
  }
});

test("they go back when the host dies at any event of the user's turn", async () => {
  const whole = swarm();
  await whole.team.run("t");
  const from = whole.journal.kept.length;
  await whole.team.run("My word");
  const said = whole.journal.kept.findIndex((event) => event.type === "message/added" && event.message.source === "me");
  assert.ok(said >= from);
  for (let kept = said + 1; kept < whole.journal.kept.length - 1; kept++) {
    const journal = new MemoryJournal();
    journal.kept.push(...structuredClone(whole.journal.kept.slice(0, kept)));
    const { team, said } = swarm(me, { journal, stored: journal.stored(TEAM_ID, whole.definition) });
    team.recover();
    for (let runs = 0; runs < 2 && team.state.threadLength < 6; runs++) await team.run();
    assert.deepEqual(said().slice(3), ["me: My word", "bob: bob", "bob: bob"], `after event ${kept}`);
  }
});

test("the one who handed over in the answer to a directed message gets them, too", async () => {
  const { team, said, next } = swarm(me, {
    speakers: { ann: () => "ann", bob: handsOffOnce("bob", "me"), cid: () => "cid" },
    termination: { maxMessages: 5 },
  });
  const ended = next("run/ended");
  await team.sendUserMessage("bob", ["Ask me"], afterReply("continue"));
  await ended;
  await team.run("My word");
  assert.deepEqual(said(), ["user: Ask me", "bob: over to me", "me: My word", "bob: bob", "bob: bob"]);
});

test("after a handoff that left the team, a task goes to whoever handed over in the answer to a directed message", async () => {
  const { team, said } = swarm(me, {
    speakers: { ann: () => "ann", bob: handsOffOnce("bob", "boss"), cid: () => "cid" },
    termination: { any: [{ handoff: { target: "boss" } }, { maxMessages: 4 }] },
  });
  await team.sendUserMessage("bob", ["Ask the boss"]);
  await team.run("The boss says yes");
  assert.deepEqual(said().slice(0, 4), [
    "user: Ask the boss",
    "bob: over to boss",
    "user: The boss says yes",
    "bob: bob",
  ]);
});

test("a user participant with handoffs chooses who speaks next; the choices are in the snapshot", async () => {
  const { team, said, folded } = swarm(withHandoffs);
  await team.run("t");
  const info = team.state.participants.find(({ name }) => name === "me");
  assert.deepEqual(info?.handoffs, [{ target: "ann" }, { target: "cid", description: "Knows the bills." }]);

  await team.run("Ask cid", { handoff: "cid" });

  const spoken = team.messages.find(({ source }) => source === "me");
  assert.deepEqual([spoken?.type, spoken?.metadata], ["HandoffMessage", { target: "cid" }]);
  assert.deepEqual(said().slice(3), ["me: Ask cid", "cid: cid", "cid: cid"]);
  assert.deepEqual(folded(), team.state);
});

test("without a choice the words of a user participant with handoffs go back, too", async () => {
  const { team, said } = swarm(withHandoffs);
  await team.run("t");
  await team.run("My word");
  assert.deepEqual(said().slice(3, 5), ["me: My word", "bob: bob"]);
});

test("a handoff that is not among the user participant's, or without a user's turn, is an error, and nothing changes", async () => {
  const { team } = swarm(withHandoffs);
  const refused = async (handoff: string, message: RegExp): Promise<void> => {
    const { lastSeq } = team.state;
    await assert.rejects(team.run("My word", { handoff }), (error: GavelError) => {
      assert.equal(error.data.code, "InvalidParams");
      assert.match(error.message, message);
      return true;
    });
    assert.equal(team.state.lastSeq, lastSeq);
  };
  await refused("ann", /handoff: only a user participant's message can hand over/);
  await team.run("t");
  await refused("bob", /handoff: me can hand over to ann and cid, not to bob/);
});

test("a user participant of a nested swarm hands over in it", async () => {
  const { team } = testTeam({
    speakers: { ann: handsOffOnce("ann", "me"), bob: () => "bob", cid: () => "cid" },
    participants: [
      {
        name: "group",
        kind: "team",
        team: { name: "Group", kind: "swarm", participants: members(withHandoffs), termination: { maxMessages: 4 } },
      },
    ],
    maxTurns: 1,
  });
  await team.run("t");
  assert.deepEqual(team.state.awaitingUser, { participant: "me", path: ["group"] });
  await team.run("Ask cid", { handoff: "cid" });
  assert.deepEqual(
    team.state.inner?.["group"]?.thread.map(({ source, content }) => `${source}: ${content}`),
    ["user: t", "ann: over to me", "me: Ask cid", "cid: cid"],
  );
});

test("where the manager does not follow handoffs, the user's words change nothing", async () => {
  const { team, said } = testTeam({
    speakers: { ann: handsOffOnce("ann", "me"), bob: () => "bob" },
    participants: [{ name: "ann" }, me, { name: "bob" }],
    maxTurns: 3,
  });
  await team.run("t");
  await team.run("My word");
  assert.deepEqual(said().slice(1), ["ann: over to me", "me: My word", "bob: bob"]);
});
