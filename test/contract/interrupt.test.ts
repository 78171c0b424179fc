import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelDefinition } from "../../shared/contract/definition.ts";
import type { ChatMessage } from "../../shared/contract/message.ts";
import {
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamReset,
  TeamRun,
  TeamSaveState,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { beginLongRun, LONG, SLOW } from "./harness/long-run.ts";
import { openai, roundRobin } from "./harness/teams.ts";

describe("team/interrupt", () => {
  it("keeps what had streamed as a partial, gives a receipt, and the run resolves with USER_INTERRUPT", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);
    const receipt = await host.send(TeamInterrupt, { teamId: "t", reason: "enough" });
    const result = await run;
    assert.deepEqual(
      [receipt.wasRunning, receipt.severity, receipt.stopReason, receipt.status],
      [true, "pause", "USER_INTERRUPT", "paused"],
    );
    assert.deepEqual(
      [result.stopReason, result.status.code, result.status.reason],
      ["USER_INTERRUPT", "interrupted", "external_interrupt"],
    );
    const partial = lastOf(result.messages);
    assert.equal(partial.partial, true);
    assert.ok(LONG.startsWith(String(partial.content)) && String(partial.content).length >= 50);
    assert.deepEqual(receipt.partials, [partial]);
    assert.equal(toldText(host, partial.id), partial.content);
    const snapshot = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual([snapshot.status, snapshot.interrupted, snapshot.turn], ["paused", true, 0]);
    assert.deepEqual(snapshot.thread.at(-1), partial);
  });

  it("is followed by the speaker that was cut short, who is shown its own partial", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);
    await host.send(TeamInterrupt, { teamId: "t" });
    const partial = lastOf((await run).messages);
    endpoint.mock.clearFixtures();
    endpoint.says("ann", "and so on").says("bob", "bob is brief");
    const asked = endpoint.conversations.length;
    const { messages } = await host.send(TeamRun, { teamId: "t" });
    assert.deepEqual(
      messages.slice(0, 2).map(({ source, content }) => [source, content]),
      [
        ["ann", "and so on"],
        ["bob", "bob is brief"],
      ],
    );
    const conversation = endpoint.conversations[asked] ?? [];
    assert.equal(conversation.filter((line) => line.includes(String(partial.content))).length, 1);
  });

  it("two interrupts at once: one USER_INTERRUPT, one receipt for both, at the higher severity", async () => {
    const cancelled = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    await using host = await HostClient.start({
      onToolCall: async (_, signal) => {
        signal.addEventListener("abort", () => cancelled.resolve());
        await release.promise;
        return { error: "stopped" };
      },
    });
    const { run } = await withClientTool(host);
    await host.event("t", ({ type }) => type === "tool/started");
    const first = host.send(TeamInterrupt, { teamId: "t" });
    await cancelled.promise;
    const second = host.send(TeamInterrupt, { teamId: "t", severity: "stop" });
    // Answered in the order of arrival, so the second interrupt has arrived when this has.
    await host.send(TeamInspect, { teamId: "t" });
    release.resolve();
    const [one, two] = await Promise.all([first, second]);
    assert.deepEqual(one, two);
    assert.deepEqual([one.severity, one.status], ["stop", "idle"]);
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    assert.equal(host.eventsOf("t").filter(({ type }) => type === "run/ended").length, 1);
  });

  it("of a team at rest is no error", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin() });
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    assert.deepEqual([receipt.wasRunning, receipt.partials], [false, []]);
  });

  it("after the acknowledgement no one is selected and no model is asked until the team continues", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);
    await host.send(TeamInterrupt, { teamId: "t" });
    await run;
    const types = host.eventsOf("t").map(({ type }) => type);
    const after = types.slice(types.indexOf("interrupt/acknowledged") + 1);
    assert.deepEqual(
      after.filter((type) => ["speaker/selected", "message/started", "message/chunk", "tool/started"].includes(type)),
      [],
    );
    assert.equal(endpoint.conversations.length, 1);
  });

  it("never waits for a run, and $/cancelRequest is the hard stop of one", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    endpoint.says("ann", LONG, SLOW);
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ model: openai(endpoint.baseUrl) }) });
    const controller = new AbortController();
    const run = host.send(TeamRun, { teamId: "t", task: "go" }, controller.signal);
    await host.streamed("t", 50);
    controller.abort();
    const result = await run;
    assert.deepEqual([result.stopReason, result.status.code], ["CANCELLED", "cancelled"]);
    assert.equal(lastOf(result.messages).partial, true);
  });

  it("with the severity reset is for the whole team: with a scope it is InvalidParams, and nothing is stopped", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 1 }) });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    for (const scope of [{ participant: "ann" }, { ref: "call-1" }]) {
      const { data } = await refusal(host.sendRaw("team/interrupt", { teamId: "t", severity: "reset", scope }));
      assert.deepEqual([data.code, data.problems?.map(({ path }) => path)], ["InvalidParams", ["severity"]]);
    }
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).threadLength, 2);
  });

  it("with the severity reset empties the thread too", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);
    const receipt = await host.send(TeamInterrupt, { teamId: "t", severity: "reset" });
    await run;
    assert.equal(receipt.status, "idle");
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).threadLength, 0);
    assert.deepEqual((await host.send(TeamSaveState, { teamId: "t" })).transcript, []);
    assert.equal((await host.send(TeamReset, { teamId: "t" })).threadLength, 0);
  });
});

/** A run whose only speaker has called a tool that the client runs. */
async function withClientTool(host: HostClient) {
  const inputSchema = { type: "object" };
  await host.send(ToolsRegister, { tools: [{ name: "measure", description: "Measures.", inputSchema }] });
  const model: ModelDefinition = {
    provider: "practice",
    pace: 0,
    lines: { ann: [{ calls: [{ tool: "measure", input: { what: "time" } }] }, "ann has it"] },
  };
  const definition = roundRobin({ names: ["ann"], model, maxTurns: 1, participants: { tools: ["measure"] } });
  await host.send(TeamOpen, { teamId: "t", definition });
  return { run: host.send(TeamRun, { teamId: "t", task: "go" }) };
}

function lastOf(messages: readonly ChatMessage[]): ChatMessage {
  const last = messages.at(-1);
  if (last === undefined) throw new Error("There is no message.");
  return last;
}

function toldText(host: HostClient, messageId: string): string {
  return host
    .eventsOf("t")
    .flatMap((event) => (event.type === "message/chunk" && event.messageId === messageId ? [event.delta] : []))
    .join("");
}
