import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { ReasoningInterrupt, TeamEvents, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { openai, practice } from "./harness/teams.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

const AUDIT = ["reasoning/interrupt", "reasoning/interrupt-ack"];

/** The turn that is being taken. */
async function turnOf(host: HostClient): Promise<string> {
  const event = await host.event("t", ({ type }) => type === "reasoning/start");
  assert.ok(event.type === "reasoning/start");
  return event.id;
}

/** Ann thinks until `think` is called, and would then call `look`; asked again, she speaks. */
async function beginThought(host: HostClient, endpoint: FakeEndpoint, more: Partial<TeamDefinition> = {}) {
  const [hold, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  endpoint.mock.on({ systemMessage: "I am ann." }, async () => {
    asked.resolve();
    await hold.promise;
    return { toolCalls: [{ id: "1", name: "listFiles", arguments: "{}" }] };
  });
  const definition: TeamDefinition = {
    name: "Talk",
    kind: "roundRobin",
    participants: ["ann", "bob"].map((name) => ({ name, instructions: `I am ${name}.` })),
    models: { default: openai(endpoint.baseUrl) },
    maxTurns: 2,
    ...more,
  };
  await host.send(TeamOpen, { teamId: "t", definition });
  const run = host.send(TeamRun, { teamId: "t", task: "go" });
  run.catch(() => {});
  const id = await turnOf(host);
  await asked.promise;
  return { run, id, think: hold.resolve };
}

describe("reasoning interrupts", () => {
  it("without `to` or a correlation, or for `other` without a message: refused", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: quick() });
    const whole = {
      teamId: "t",
      from: "user",
      to: ["ann"],
      correlation_id: ["turn"],
      payload: { reason: "timeout" as const },
    };
    const wrong = [
      { ...whole, to: [] },
      { ...whole, correlation_id: [] },
      { ...whole, payload: { reason: "other" as const } },
    ];
    for (const params of wrong) {
      const { code, data } = await refusal(host.send(ReasoningInterrupt, params));
      assert.deepEqual([code, data.code, data.problems?.length], [-32602, "InvalidParams", 1]);
    }
    const { events } = await host.send(TeamEvents, { teamId: "t", types: AUDIT });
    assert.deepEqual(events, []);
  });

  it("stopping: the current thought ends, nothing follows it, and the run is paused", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    endpoint.says("bob", "bob is brief");
    const { run, id, think } = await beginThought(host, endpoint);
    const ack = await host.send(ReasoningInterrupt, {
      teamId: "t",
      from: "user",
      to: ["ann"],
      correlation_id: [id],
      payload: { reason: "resource_limit", message: "that is enough" },
    });
    think();
    const result = await run;

    assert.deepEqual([ack.from, ack.payload.status], ["ann", "stopping"]);
    assert.deepEqual([result.stopReason, result.status.code], ["USER_INTERRUPT", "interrupted"]);
    assert.equal(endpoint.conversations.length, 1);
    const { events } = await host.send(TeamEvents, { teamId: "t" });
    const told = events.map(({ type }) => type).filter((type) => type.startsWith("reasoning/"));
    assert.deepEqual(told, ["reasoning/start", ...AUDIT, "reasoning/thought", "reasoning/conclusion"]);
    const conclusion = events.find((event) => event.type === "reasoning/conclusion");
    assert.ok(conclusion?.type === "reasoning/conclusion");
    assert.deepEqual(
      [conclusion.correlation_id, conclusion.interrupted, conclusion.message],
      [[id], true, "that is enough"],
    );
  });

  it("completing_thought: that thought, a conclusion marked interrupted, and a new turn with the message in view", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run, id, think } = await beginThought(host, endpoint);
    const ack = await host.send(ReasoningInterrupt, {
      teamId: "t",
      from: "user",
      to: ["ann"],
      correlation_id: [id],
      payload: { reason: "redirect", message: "think of security" },
    });
    endpoint.mock.clearFixtures();
    endpoint.says("ann", "securely").says("bob", "bob is brief");
    think();
    const { messages } = await run;

    assert.equal(ack.payload.status, "completing_thought");
    assert.deepEqual(
      messages.map(({ source, content }) => [source, content]),
      [
        ["user", "go"],
        ["user", "think of security"],
        ["ann", "securely"],
        ["bob", "bob is brief"],
      ],
    );
    assert.ok(endpoint.conversations[1]?.some((line) => line.includes("think of security")));
  });

  it("a monitor outside the team interrupts as its capability allows, and at most so often in a minute", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const monitors = [
      { name: "resource-monitor", capabilities: [{ kind: "reasoning/interrupt", to: "ann", maxPerMinute: 1 }] },
    ];
    const { run, id, think } = await beginThought(host, endpoint, { monitors });
    const interrupt = (from: string) =>
      host.send(ReasoningInterrupt, {
        teamId: "t",
        from,
        to: ["ann"],
        correlation_id: [id],
        payload: { reason: "resource_limit" },
      });

    const acks = [
      await interrupt("stranger"),
      await interrupt("resource-monitor"),
      await interrupt("resource-monitor"),
    ];
    think();
    const result = await run;

    assert.deepEqual(
      acks.map(({ payload }) => [payload.status, payload.limited]),
      [
        ["ignored", undefined],
        ["stopping", undefined],
        ["ignored", true],
      ],
    );
    assert.equal(result.stopReason, "USER_INTERRUPT");
    const warned = /reasoning interrupt .* ignored: its sender interrupts too often/;
    assert.ok(host.logs.some(({ level, message }) => level === "warn" && warned.test(message)));
  });

  it("the audit trail is a query of the log: the request and its acknowledgement, which names it", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run, id, think } = await beginThought(host, endpoint);
    const ack = await host.send(ReasoningInterrupt, {
      teamId: "t",
      from: "ann",
      to: ["ann"],
      correlation_id: [id],
      payload: { reason: "timeout" },
    });
    const { events, lastSeq } = await host.send(TeamEvents, { teamId: "t", types: AUDIT });
    const [asked, told] = events as [EventOf<"reasoning/interrupt">, EventOf<"reasoning/interrupt-ack">];
    assert.equal(events.length, 2);
    assert.deepEqual(
      [asked.from, asked.to, asked.correlation_id, asked.payload.reason],
      ["ann", ["ann"], [id], "timeout"],
    );
    assert.deepEqual(told.correlation_id, [asked.id]);
    const { id: ackId, from, correlation_id, payload } = told;
    assert.deepEqual({ id: ackId, from, correlation_id, payload }, ack);
    assert.equal(ack.payload.status, "stopping");
    assert.ok(lastSeq >= told.seq);
    think();
    assert.equal((await run).stopReason, "USER_INTERRUPT");
  });

  it("not authorized, unknown, or no such turn in progress: ignored, which is no error, and the run continues", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run, id, think } = await beginThought(host, endpoint);
    const whole = {
      teamId: "t",
      from: "bob",
      to: ["ann"],
      correlation_id: [id],
      payload: { reason: "timeout" as const },
    };
    const refused = [whole, { ...whole, from: "eve" }, { ...whole, from: "user", correlation_id: ["turn-0"] }];
    for (const params of refused) {
      const { payload } = await host.send(ReasoningInterrupt, params);
      assert.equal(payload.status, "ignored");
      assert.ok((payload.message ?? "") !== "");
    }
    endpoint.mock.clearFixtures();
    endpoint.says("ann", "all seen").says("bob", "bob is brief");
    think();
    const { stopReason, messages } = await run;
    assert.match(stopReason ?? "", /^Maximum number of turns/);
    assert.deepEqual(
      messages.map(({ source }) => source),
      ["user", "ann", "bob"],
    );
  });

  it("a participant with the capability may interrupt the ones that it names", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const participants = [
      { name: "ann", instructions: "I am ann." },
      { name: "bob", instructions: "I am bob.", capabilities: [{ kind: "reasoning/interrupt", to: ["ann"] }] },
    ];
    const { run, id, think } = await beginThought(host, endpoint, { participants });
    const { payload } = await host.send(ReasoningInterrupt, {
      teamId: "t",
      from: "bob",
      to: ["ann"],
      correlation_id: [id],
      payload: { reason: "error" },
    });
    think();
    assert.equal(payload.status, "stopping");
    assert.equal((await run).stopReason, "USER_INTERRUPT");
  });
});

describe("interrupt rules", () => {
  it("a rule of the team file interrupts in the middle of a message, and the log says which rule and why", async () => {
    await using host = await HostClient.start();
    const lines = { ann: ["I will now run rm -rf / and then rest"], bob: ["bob"] };
    const definition: TeamDefinition = {
      ...quick(),
      models: { default: { provider: "practice", pace: 0, lines } },
      interrupts: [{ name: "guard", when: { message: { matches: "rm\\s+-rf" } }, reason: "a dangerous command" }],
    };
    await host.send(TeamOpen, { teamId: "t", definition });
    const { stopReason, messages } = await host.send(TeamRun, { teamId: "t", task: "tidy up" });
    assert.equal(stopReason, "USER_INTERRUPT");
    const said = messages.at(-1);
    assert.equal(said?.partial, true);
    assert.ok(!String(said?.content).includes("rest"));
    const { events } = await host.send(TeamEvents, { teamId: "t", types: ["interrupt/requested"] });
    assert.deepEqual(
      events.map((event) => event.type === "interrupt/requested" && [event.by, event.reason]),
      [["guard", "a dangerous command"]],
    );
  });

  it("an invalid rule is a problem of the definition", async () => {
    await using host = await HostClient.start();
    const definition = { ...quick(), interrupts: [{ when: { message: { matches: "(" } }, reason: "r" }] };
    const { data } = await refusal(host.send(TeamOpen, { definition }));
    assert.equal(data.code, "InvalidDefinition");
    assert.equal(data.problems?.[0]?.path, "interrupts[0].when.message.matches");
  });
});

const quick = (): TeamDefinition => ({
  name: "Talk",
  kind: "roundRobin",
  participants: [{ name: "ann" }, { name: "bob" }],
  models: { default: practice(["ann", "bob"]) },
  maxTurns: 2,
});
