import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { TeamEvents, TeamList, TeamOpen, TeamRun, ToolsRegister } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { beginLongRun, LONG } from "./harness/long-run.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

describe("a host that is killed", () => {
  it("in mid-stream loses nothing that a client was told: the turn is interrupted, with the text so far", async () => {
    using scratch = new Scratch();
    await using endpoint = await FakeEndpoint.start();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start(options);
    await beginLongRun(first, endpoint);
    await first.kill();
    const told = first
      .eventsOf("t")
      .flatMap((event) => (event.type === "message/chunk" ? [event.delta] : []))
      .join("");

    await using second = await HostClient.start(options);
    const snapshot = await second.send(TeamOpen, { teamId: "t" });
    assert.deepEqual([snapshot.status, snapshot.interrupted, snapshot.streaming], ["paused", true, []]);
    const partial = snapshot.thread.at(-1);
    assert.deepEqual([partial?.source, partial?.partial], ["ann", true]);
    assert.ok(String(partial?.content).startsWith(told));
    assert.ok(LONG.startsWith(String(partial?.content)));
    const { events } = await second.send(TeamEvents, { teamId: "t" });
    assert.deepEqual(
      events.slice(0, first.eventsOf("t").filter((event) => "seq" in event).length),
      first.eventsOf("t").filter((event) => "seq" in event),
    );

    endpoint.mock.clearFixtures();
    endpoint.says("ann", "ann goes on").says("bob", "bob is brief");
    const { messages } = await second.send(TeamRun, { teamId: "t" });
    assert.deepEqual(messages.map(({ source }) => source).slice(0, 2), ["ann", "bob"]);
  });

  it("loses no text of a speaker while a nested team beside it asks for a tool and ends", async () => {
    using scratch = new Scratch();
    const longer = Promise.withResolvers<void>();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start({
      ...options,
      onToolCall: async () => {
        await longer.promise;
        return { output: "found" };
      },
    });
    await first.send(ToolsRegister, { tools: [{ name: "look", description: "", inputSchema: {} }] });
    await first.send(TeamOpen, { teamId: "t", definition: annBesideHerNamesake });
    first.send(TeamRun, { teamId: "t", task: "go" }).catch(() => {});
    const ofAnn = (): string => textOf(first.eventsOf("t"), "ann");
    await first.event("t", ({ type }) => type === "tool/started");
    await first.event("t", () => ofAnn().length > 100);
    longer.resolve();
    await first.event("t", ({ type, path }) => type === "run/ended" && path !== undefined);
    const before = ofAnn().length;
    await first.event("t", () => ofAnn().length > before);
    await first.kill();

    await using second = await HostClient.start(options);
    const { thread, threadLength } = await second.send(TeamOpen, { teamId: "t" });
    const partial = thread.find(({ source }) => source === "ann");
    assert.equal(partial?.partial, true);
    assert.ok(String(partial?.content).startsWith(ofAnn()), "the text that the client was told is kept");
    assert.ok(LONG.startsWith(String(partial?.content)));
    assert.equal((await second.send(TeamList, {})).teams[0]?.threadLength, threadLength);
  });

  it("no longer shows its teams as running in a list", async () => {
    using scratch = new Scratch();
    await using endpoint = await FakeEndpoint.start();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start(options);
    await beginLongRun(first, endpoint);
    await using second = await HostClient.start(options);
    assert.equal((await second.send(TeamList, {})).teams[0]?.status, "running");
    await first.kill();
    assert.equal((await second.send(TeamList, {})).teams[0]?.status, "paused");
  });

  it("while a tool runs: the call is pending with its outcome unknown, and never runs again by itself", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start({ ...options, onToolCall: () => new Promise(() => {}) });
    await first.send(ToolsRegister, { tools: [{ name: "launch", description: "", inputSchema: {} }] });
    const definition = roundRobin({
      names: ["ann"],
      model: { provider: "practice", pace: 0, lines: { ann: [{ calls: [{ tool: "launch" }] }, "done"] } },
      participants: { tools: ["launch"] },
    });
    await first.send(TeamOpen, { teamId: "t", definition });
    first.send(TeamRun, { teamId: "t", task: "go" }).catch(() => {});
    await first.event("t", ({ type }) => type === "tool/started");
    await first.kill();

    // No client has registered the tool with this host; the team opens all the same.
    await using second = await HostClient.start(options);
    const { status, pendingTools } = await second.send(TeamOpen, { teamId: "t" });
    assert.equal(status, "awaitingTools");
    assert.deepEqual(
      pendingTools.map(({ name, interrupt }) => ({ name, interrupt })),
      [{ name: "launch", interrupt: { outcome: "unknown" } }],
    );
  });
});

/** Ann speaks for long, beside a nested team in which another ann uses a tool and is brief. */
const annBesideHerNamesake: TeamDefinition = {
  name: "Beside",
  kind: "graph",
  participants: [
    { name: "chief" },
    { name: "ann" },
    {
      name: "lab",
      kind: "team",
      team: {
        name: "Lab",
        kind: "roundRobin",
        participants: [{ name: "ann", tools: ["look"], maxToolIterations: 2 }],
        models: {
          default: { provider: "practice", pace: 0, lines: { ann: [{ calls: [{ tool: "look" }] }, "It is there."] } },
        },
        maxTurns: 1,
      },
    },
  ],
  graph: {
    edges: [
      { from: "chief", to: "ann" },
      { from: "chief", to: "lab" },
    ],
  },
  models: { default: { provider: "practice", pace: 200, lines: { chief: ["go"], ann: [LONG] } } },
};

/** The text that a participant of the team itself has streamed. */
const textOf = (events: readonly TeamEvent[], source: string): string =>
  events
    .flatMap((event) =>
      event.type === "message/chunk" && event.source === source && event.path === undefined ? [event.delta] : [],
    )
    .join("");
