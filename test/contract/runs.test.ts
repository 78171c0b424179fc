import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TeamInspect, TeamInterrupt, TeamOpen, TeamRun, TeamStop } from "../../shared/contract/requests.ts";
import type { TaskResult } from "../../shared/contract/team.ts";
import { HostClient, refusal } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import { beginLongRun, LONG } from "./harness/long-run.ts";
import { Scratch } from "./harness/scratch.ts";
import { SlowEndpoint } from "./harness/slow-endpoint.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const sources = ({ messages }: TaskResult): string[] => messages.map(({ source }) => source);

describe("runs", () => {
  it("maxTurns 3 gives the task and three replies; the next run starts at the next speaker", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 3 }) });
    assert.deepEqual(sources(await host.send(TeamRun, { teamId: "t", task: "go" })), ["user", "ann", "bob", "ann"]);
    assert.deepEqual(sources(await host.send(TeamRun, { teamId: "t" })), ["bob", "ann", "bob"]);
  });

  it("a second run on a running team is TeamBusy; so is what needs it at rest; the run is unharmed", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run, definition } = await beginLongRun(host, endpoint);
    const requests: readonly (readonly [string, object])[] = [
      ["team/run", { task: "again" }],
      ["team/saveState", {}],
      ["team/loadState", { state: {} }],
      ["team/reset", {}],
      ["team/delete", {}],
      ["team/open", { definition: { ...definition, name: "Other" } }],
    ];
    for (const [method, params] of requests) {
      const { code, data } = await refusal(host.sendRaw(method, { teamId: "t", ...params }));
      assert.deepEqual([method, code, data.code], [method, -32003, "TeamBusy"]);
    }
    assert.equal((await host.send(TeamOpen, { teamId: "t", definition })).status, "running");
    await host.send(TeamInterrupt, { teamId: "t" });
    assert.equal((await run).stopReason, "USER_INTERRUPT");
  });

  it("a task can be several parts; an empty one is an error", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 1 }) });
    for (const task of ["", []]) {
      assert.equal((await refusal(host.sendRaw("team/run", { teamId: "t", task }))).code, -32602);
    }
    const task = [
      { type: "text" as const, text: "look" },
      { type: "text" as const, text: "here" },
    ];
    const { messages } = await host.send(TeamRun, { teamId: "t", task });
    assert.deepEqual([messages[0]?.type, messages[0]?.content], ["MultiModalMessage", task]);
  });

  it("a model that fails ends the run with status error and an error event; the team can run again", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.says("ann", "ann is back");
    endpoint.mock.nextRequestError(401, { message: "bad key sk-secret-123" });
    await using host = await HostClient.start({ keys: { work: "sk-secret-123" } });
    const model = { ...openai(endpoint.baseUrl), apiKey: { secret: "work" } };
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ names: ["ann"], model, maxTurns: 1 }) });
    const failed = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(failed.status.code, "error");
    const error = await host.event("t", ({ type }) => type === "error");
    assert.partialDeepStrictEqual(error, { data: { code: "ModelError", status: 401, retryable: false } });
    assert.doesNotMatch(JSON.stringify([failed, host.eventsOf("t"), host.logs]), /sk-secret-123/);
    assert.deepEqual(sources(await host.send(TeamRun, { teamId: "t" })), ["ann"]);
    const { origin } = new URL(endpoint.baseUrl);
    assert.deepEqual(host.secretsAsked, [
      { secret: "work", origin },
      { secret: "work", origin },
    ]);
  });

  it("team/stop in mid-turn ends the run at that turn's end", async () => {
    await using endpoint = await HeldEndpoint.start("One, |two.");
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ model: openai(endpoint.baseUrl) }) });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await host.streamed("t", "One, ".length);
    assert.equal(await host.send(TeamStop, { teamId: "t" }), null);
    endpoint.goOn();
    const result = await run;
    assert.deepEqual([result.status.code, sources(result)], ["success", ["user", "ann"]]);
    assert.equal(result.messages.at(-1)?.content, "One, two.");
  });

  it("team/stop is seen by clients, and is withdrawn while the turn goes on", async () => {
    await using endpoint = await SlowEndpoint.start();
    await using host = await HostClient.start();
    await host.send(TeamOpen, {
      teamId: "t",
      definition: roundRobin({ model: openai(endpoint.baseUrl), maxTurns: 2 }),
    });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await endpoint.requests(1);
    assert.equal(await host.send(TeamStop, { teamId: "t" }), null);
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).stopRequested, true);
    await host.event("t", ({ type }) => type === "stop/requested");
    assert.equal(await host.send(TeamStop, { teamId: "t", withdraw: true }), null);
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).stopRequested, undefined);
    const answered = endpoint.requests(0);
    endpoint.finish("one turn");
    await answered;
    await endpoint.requests(1);
    endpoint.finish("another");
    assert.equal((await run).stopReason, "Maximum number of turns 2 reached.");
  });

  it("is found by requests that the client sends right after it, before it has begun", async () => {
    using scratch = new Scratch();
    await using endpoint = await SlowEndpoint.start();
    await using host = await HostClient.start({ storagePath: scratch.path });
    const definition = roundRobin({ model: openai(endpoint.baseUrl), maxTurns: 4 });
    await host.send(TeamOpen, { teamId: "t", definition });
    const interrupted = host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal((await host.send(TeamInterrupt, { teamId: "t" })).wasRunning, true);
    assert.equal((await interrupted).stopReason, "USER_INTERRUPT");

    const stopped = host.send(TeamRun, { teamId: "t" });
    const stop = host.send(TeamStop, { teamId: "t" });
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).status, "running");
    // A request of the run that was interrupted may still be open.
    await host.event("t", ({ type }) => type === "message/chunk");
    await endpoint.requests(1);
    endpoint.finish("one turn");
    await stop;
    const { status, messages } = await stopped;
    assert.deepEqual([status.code, messages.length], ["success", 1]);
  });

  it("the chunks of a message, joined, are its content and carry its id; they are not in the result", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const text = LONG.slice(0, 400);
    endpoint.says("ann", text, { chunkSize: 7 });
    const definition = roundRobin({ names: ["ann"], model: openai(endpoint.baseUrl), maxTurns: 1 });
    await host.send(TeamOpen, { teamId: "t", definition });
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
    const spoken = messages.at(-1);
    const chunks = host.eventsOf("t").flatMap((event) => (event.type === "message/chunk" ? [event] : []));
    assert.equal(chunks.map(({ delta }) => delta).join(""), text);
    assert.deepEqual(new Set(chunks.map(({ messageId }) => messageId)), new Set([spoken?.id]));
    assert.equal(spoken?.content, text);
    assert.equal(messages.length, 2);
  });

  it("eight teams run at once, each with its own thread", async () => {
    await using host = await HostClient.start();
    const ids = Array.from({ length: 8 }, (_, at) => `team${at}`);
    for (const teamId of ids) await host.send(TeamOpen, { teamId, definition: roundRobin({ maxTurns: 4 }) });
    const results = await Promise.all(ids.map((teamId) => host.send(TeamRun, { teamId, task: teamId })));
    assert.deepEqual(
      results.map(({ messages }) => messages[0]?.content),
      ids,
    );
    for (const result of results) assert.equal(result.messages.length, 5);
  });

  it("what a user participant says in a swarm goes back to who handed over, or where its `handoff` leads", async () => {
    const definition = {
      name: "Clinic",
      kind: "swarm",
      participants: [
        { name: "ann", handoffs: ["me"] },
        { name: "bob", handoffs: ["me"] },
        { name: "me", kind: "user", handoffs: ["ann", { target: "bob", description: "Knows the bills." }] },
      ],
      models: {
        default: {
          provider: "practice",
          lines: {
            ann: [{ calls: [{ tool: "transfer_to_me" }] }, "ann answers"],
            bob: ["bob answers"],
          },
        },
      },
      termination: { textMention: { text: "answers" } },
    };
    await using host = await HostClient.start();
    for (const [handoff, next] of [[undefined, "ann"] as const, ["bob", "bob"] as const]) {
      const teamId = `to ${next}`;
      await host.send(TeamOpen, { teamId, definition });
      assert.equal((await host.send(TeamRun, { teamId, task: "go" })).stopReason, "USER_INPUT_REQUESTED");
      const { participants } = await host.send(TeamInspect, { teamId });
      assert.deepEqual(participants[2]?.handoffs, [
        { target: "ann" },
        { target: "bob", description: "Knows the bills." },
      ]);
      const refused = await refusal(host.sendRaw("team/run", { teamId, task: "my word", handoff: "me" }));
      assert.deepEqual([refused.code, refused.data.code], [-32602, "InvalidParams"]);
      const answer = await host.send(TeamRun, { teamId, task: "my word", ...(handoff && { handoff }) });
      assert.deepEqual(sources(answer), ["me", next]);
    }
  });
});
