import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, type TestTeamOptions, testTeam } from "../testing/test-team.ts";

/** A nested team of ann and bob, who speak at the same time. */
const lab = (name: string, more: Partial<ParticipantDefinition> = {}): ParticipantDefinition => ({
  name,
  kind: "team",
  team: {
    name,
    kind: "graph",
    graph: { edges: [] },
    participants: [
      { name: "ann", model: `${name}-ann` },
      { name: "bob", model: `${name}-bob`, ...more },
    ],
  },
});

/** Two nested teams at the same time, each with an ann and a bob that wait for `go`. */
function twoLabs(
  options: { readonly east?: Partial<ParticipantDefinition>; readonly models?: TestTeamOptions["speakers"] } = {},
) {
  const go = Promise.withResolvers<void>();
  const waiting = (word: string): ScriptedModel =>
    new ScriptedModel([...say(`${word} `), { type: "wait", until: go.promise }, ...say("end")]);
  const models = Object.fromEntries(
    ["west-ann", "west-bob", "east-ann", "east-bob"].map((name) => [name, waiting(name)]),
  );
  const fixture = testTeam({
    kind: "graph",
    graph: { edges: [] },
    speakers: { ...models, ...options.models },
    participants: [lab("west"), lab("east", options.east)],
  });
  const cut = (): string[] =>
    Object.entries(fixture.team.state.inner ?? {}).flatMap(([name, { thread }]) =>
      thread.flatMap(({ source, partial }) => (partial ? [`${name}/${source}`] : [])),
    );
  const turnOf = (place: string, name: string): string =>
    fixture.team.state.inner?.[place]?.openTurns.find(({ participant }) => participant === name)?.id ?? "";
  return { fixture, go: go.resolve, cut, turnOf };
}

test("a scope with a path stops the participant there, and not its namesake", async () => {
  const { fixture, go, cut } = twoLabs();
  const streamed = fixture.next("message/chunk", 4);
  const run = fixture.team.run("t");
  await streamed;

  const scope = { participant: "ann", path: ["east"] };
  assert.deepEqual(
    fixture.team.previewInterrupt(scope).streaming.map(({ source, path }) => [source, path]),
    [["ann", ["east"]]],
  );
  const receipt = await fixture.team.interrupt({ scope });

  assert.deepEqual(receipt.stopped?.participants, [{ participant: "ann", path: ["east"] }]);
  assert.deepEqual([receipt.scope, cut()], [scope, ["east/ann"]]);
  go();
  await run;
  assert.deepEqual(cut(), ["east/ann"]);
  await assert.rejects(fixture.team.interrupt({ scope: { participant: "zoe", path: ["east"] } }), /"east\/zoe"/);
  await assert.rejects(fixture.team.interrupt({ scope: { participant: "ann", path: ["north"] } }), /"north\/ann"/);
});

test("the reasoning of a nested participant is interrupted, and not that of its namesake", async () => {
  const { fixture, go, cut, turnOf } = twoLabs();
  const streamed = fixture.next("message/chunk", 4);
  const run = fixture.team.run("t");
  await streamed;

  const ack = await fixture.team.interruptReasoning({
    from: "user",
    to: ["ann"],
    correlation_id: [turnOf("east", "ann")],
    payload: { reason: "timeout" },
  });
  assert.equal(ack.payload.status, "stopping");
  await fixture.team.interrupt({ scope: { participant: "ann", path: ["east"] } });

  assert.deepEqual(cut(), ["east/ann"]);
  assert.deepEqual(
    fixture.events.flatMap((event) => (event.type === "interrupt/requested" ? [event.scope] : [])).slice(0, 1),
    [{ participant: "ann", path: ["east"] }],
  );
  go();
  await run;
});

test("a participant that watches over its own team interrupts there, and a namesake in another team", async () => {
  const bob = new ScriptedModel(
    ask(call("1", "interrupt_team", { reason: "enough", participant: "ann" })),
    say("I have stopped her."),
  );
  const { fixture, go, cut } = twoLabs({
    east: { capabilities: [{ kind: "interrupt", to: ["ann"] }] },
    models: { "east-bob": bob },
  });
  const completed = fixture.next("interrupt/completed");
  const run = fixture.team.run("t");
  await completed;

  assert.ok(!cut().includes("west/ann"));
  go();
  await run;
  assert.ok(fixture.team.state.inner?.["west"]?.thread.some(({ source, partial }) => source === "ann" && !partial));
});

test("a participant with the capability interrupts the reasoning of its own team's member, not of a namesake", async () => {
  const interrupt = call("1", "interrupt_reasoning", { participant: "ann", reason: "timeout", message: "enough" });
  const { fixture, go } = twoLabs({
    east: { capabilities: [{ kind: "reasoning/interrupt", to: ["ann"] }] },
    models: { "east-bob": new ScriptedModel(ask(interrupt), say("done")) },
  });
  const acknowledged = fixture.next("reasoning/interrupt-ack");
  const run = fixture.team.run("t");

  assert.partialDeepStrictEqual(await acknowledged, { from: "ann", payload: { status: "stopping" } });
  await fixture.team.interrupt();
  go();
  await run;
});

test("a rule with the scope `participant` stops the turn that triggered it, and not a namesake's", async () => {
  const { definition } = twoLabs().fixture;
  const go = Promise.withResolvers<void>();
  const model = (word: string): ScriptedModel =>
    new ScriptedModel([...say(`${word} `), { type: "wait", until: go.promise }, ...say("end")]);
  const fixture = testTeam({
    kind: "graph",
    graph: { edges: [] },
    speakers: {
      "west-ann": model("calm"),
      "west-bob": model("calm"),
      "east-ann": model("secret"),
      "east-bob": model("calm"),
    },
    participants: definition.participants,
    interrupts: [{ when: { message: { contains: "secret" } }, scope: "participant", reason: "no secrets" }],
  });
  const completed = fixture.next("interrupt/completed");
  const run = fixture.team.run("t");

  assert.partialDeepStrictEqual(await completed, { scope: { participant: "ann", path: ["east"] } });
  go.resolve();
  await run;
  assert.ok(fixture.team.state.inner?.["west"]?.thread.some(({ source, partial }) => source === "ann" && !partial));
});

test("a message of the user while a user participant of the same name has the turn does not take that turn", async () => {
  const fixture = testTeam({
    speakers: { ann: () => "ann" },
    participants: [{ name: "user", kind: "user" }, { name: "ann" }],
    maxTurns: 3,
  });
  await fixture.team.run("t");
  assert.equal(fixture.team.state.awaitingUser?.participant, "user");

  await fixture.team.sendUserMessage("ann", ["Are you there?"], afterReply("pause"));

  assert.equal(fixture.team.state.awaitingUser?.participant, "user");
  await fixture.team.run("my turn");
  assert.deepEqual(fixture.said(), ["user: t", "user: Are you there?", "ann: ann", "user: my turn", "ann: ann"]);
});
