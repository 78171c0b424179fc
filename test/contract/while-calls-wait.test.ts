import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PracticeLine, TeamDefinition } from "../../shared/contract/definition.ts";
import {
  TeamFork,
  TeamInspect,
  TeamInterrupt,
  TeamLoadState,
  TeamOpen,
  TeamPreviewInterrupt,
  TeamPreviewMessage,
  TeamResolveTools,
  TeamRun,
  TeamSaveState,
  TeamSendUserMessage,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

const pay = { name: "pay", description: "Pays.", inputSchema: { type: "object" }, approval: "ask" as const };
const PAY: PracticeLine = { calls: [{ tool: "pay", input: {} }] };

/** Ann asks to pay and then thanks; Bob speaks when he is asked. */
function payingTeam(kind: "roundRobin" | "graph" = "roundRobin"): TeamDefinition {
  return {
    name: "Paying",
    kind,
    participants: [{ name: "ann", tools: ["pay"] }, { name: "bob" }],
    models: {
      default: { provider: "practice", pace: 0, lines: { ann: [PAY, "Thank you."], bob: ["Bob here.", "Bob again."] } },
    },
    ...(kind === "graph" ? { graph: { edges: [] } } : { maxTurns: 1 }),
  };
}

/** A team that waits for a decision on Ann's call. */
async function waitingTeam(host: HostClient, definition = payingTeam()): Promise<TeamSnapshot> {
  await host.send(ToolsRegister, { tools: [pay] });
  await host.send(TeamOpen, { teamId: "t", definition });
  assert.equal((await host.send(TeamRun, { teamId: "t", task: "go" })).stopReason, "TOOL_INTERRUPT");
  return host.send(TeamInspect, { teamId: "t" });
}

const refOf = ({ pendingTools }: TeamSnapshot): string => pendingTools[0]?.ref ?? "";

describe("an interrupt while calls wait", () => {
  it("cancels them, each with one result, and lists them in its receipt; the team is paused and continues", async () => {
    await using host = await HostClient.start();
    const ref = refOf(await waitingTeam(host));
    const waiting = { ref, name: "pay", participant: "ann" };
    const preview = await host.send(TeamPreviewInterrupt, { teamId: "t" });
    assert.deepEqual([preview.isRunning, preview.waitingTools], [false, [waiting]]);

    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    assert.partialDeepStrictEqual(receipt, { wasRunning: false, status: "paused", cancelledTools: [waiting] });
    assert.deepEqual(receipt.stopped?.tools, []);
    const executed = host.eventsOf("t").filter(({ type }) => type === "tool/executed");
    assert.equal(executed.length, 1);
    assert.partialDeepStrictEqual(executed[0], { ref, isError: true, interrupted: true });
    const now = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual([now.status, now.interrupted, now.pendingTools], ["paused", true, []]);
    const deny = [{ ref }];
    assert.equal((await refusal(host.send(TeamResolveTools, { teamId: "t", deny }))).data.code, "InvalidResume");

    const next = await host.send(TeamRun, { teamId: "t" });
    assert.deepEqual(
      next.messages.map(({ source, content }) => [source, content]),
      [["ann", "Thank you."]],
    );
  });

  it("with the scope of one call or participant cancels only those", async () => {
    await using host = await HostClient.start();
    const two: PracticeLine = { calls: [1, 2].map((sum) => ({ tool: "pay", input: { sum } })) };
    const definition = payingTeam();
    const lines = { ann: [two, "Thank you."], bob: ["Bob here."] };
    await waitingTeam(host, { ...definition, models: { default: { provider: "practice", pace: 0, lines } } });
    const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
    const [first, second] = pendingTools.map(({ ref }) => ref);
    assert.ok(first !== undefined && second !== undefined);

    const none = await host.send(TeamInterrupt, { teamId: "t", scope: { participant: "bob" } });
    assert.deepEqual([none.cancelledTools ?? [], none.status], [[], "awaitingTools"]);
    const one = await host.send(TeamInterrupt, { teamId: "t", scope: { ref: first } });
    assert.deepEqual([one.cancelledTools?.map(({ ref }) => ref), one.status], [[first], "awaitingTools"]);
    const preview = await host.send(TeamPreviewInterrupt, { teamId: "t", scope: { participant: "ann" } });
    assert.deepEqual(
      preview.waitingTools?.map(({ ref }) => ref),
      [second],
    );
    const rest = await host.send(TeamInterrupt, { teamId: "t", scope: { participant: "ann" } });
    assert.deepEqual([rest.cancelledTools?.map(({ ref }) => ref), rest.status], [[second], "paused"]);
    assert.equal((await host.send(TeamRun, { teamId: "t" })).messages.at(-1)?.content, "Thank you.");
  });
});

describe("messages while calls wait", () => {
  it("to a participant that does not wait are answered immediately; the call stays pending", async () => {
    await using host = await HostClient.start({ onToolCall: () => ({ output: "paid" }) });
    const ref = refOf(await waitingTeam(host));
    const preview = await host.send(TeamPreviewMessage, { teamId: "t", to: "bob", delivery: "now" });
    assert.equal(preview.when.code, "now");
    const answer = await host.send(TeamSendUserMessage, {
      teamId: "t",
      to: "bob",
      messages: "And you?",
      delivery: "now",
    });
    assert.deepEqual(
      [answer.stopReason, answer.messages.map(({ content }) => content)],
      ["USER_MESSAGE_COMPLETED", ["And you?", "Bob here."]],
    );
    const ended = await host.event("t", (event) => event.type === "run/ended" && event.runId === answer.runId);
    assert.partialDeepStrictEqual(ended, { stopReason: "TOOL_INTERRUPT" });
    const now = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual([now.status, refOf(now)], ["awaitingTools", ref]);

    const { result } = await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] });
    assert.deepEqual(
      result?.messages.map(({ content }) => content),
      ["Thank you."],
    );
  });

  it("that are queued wait for the decision, and are then delivered", async () => {
    await using host = await HostClient.start();
    const ref = refOf(await waitingTeam(host));
    const queued = { teamId: "t", to: "ann", messages: "What for?", delivery: "queue" as const };
    const left = await host.send(TeamSendUserMessage, queued);
    assert.partialDeepStrictEqual(left, { stopReason: "TOOL_INTERRUPT", messages: [] });
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).queued[0]?.id, left.waiting);
    await host.send(TeamResolveTools, { teamId: "t", deny: [{ ref }] });
    await host.event("t", (event) => event.type === "userMessage/answered" && event.id === left.waiting);
  });

  it("sent now to the participant that waits cancel its call, and that participant answers", async () => {
    await using host = await HostClient.start();
    const ref = refOf(await waitingTeam(host));
    const preview = await host.send(TeamPreviewMessage, { teamId: "t", to: "ann", delivery: "now" });
    assert.deepEqual([preview.when.code, preview.cancels?.map((call) => call.ref)], ["afterCancelling", [ref]]);
    const answer = await host.send(TeamSendUserMessage, { teamId: "t", to: "ann", messages: "Wait.", delivery: "now" });
    assert.deepEqual(
      [answer.stopReason, answer.messages.map(({ content }) => content)],
      ["USER_MESSAGE_COMPLETED", ["Wait.", "Thank you."]],
    );
    const executed = await host.event("t", ({ type }) => type === "tool/executed");
    assert.partialDeepStrictEqual(executed, { ref, isError: true, interrupted: true });
  });

  it("without a delivery are refused as before, and nothing changes", async () => {
    await using host = await HostClient.start();
    const before = await waitingTeam(host);
    const refused = [
      host.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "And you?" }),
      host.send(TeamRun, { teamId: "t", task: "more" }),
      host.send(TeamRun, { teamId: "t" }),
    ];
    for (const { data } of await Promise.all(refused.map(refusal))) assert.equal(data.code, "InvalidResume");
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).lastSeq, before.lastSeq);
  });

  it("survive the end of the host, a fork, and saving and loading", async () => {
    using scratch = new Scratch();
    const message = { teamId: "t", to: "bob", messages: "Later.", delivery: "queue" as const };
    {
      await using host = await HostClient.start({ storagePath: scratch.path });
      await waitingTeam(host);
      await host.send(TeamSendUserMessage, message);
    }
    await using host = await HostClient.start({ storagePath: scratch.path });
    await host.send(ToolsRegister, { tools: [pay] });
    const stored = await host.send(TeamOpen, { teamId: "t" });
    const state = await host.send(TeamSaveState, { teamId: "t" });
    const fork = await host.send(TeamFork, { teamId: "t", newTeamId: "fork" });
    const loaded = await host.send(TeamLoadState, { teamId: "t", state });
    for (const team of [stored, fork, loaded]) {
      assert.deepEqual([team.status, team.pendingTools.length, team.queued.length], ["awaitingTools", 1, 1]);
    }
    for (const teamId of ["t", "fork"]) {
      await host.send(TeamSendUserMessage, { teamId, to: "bob", messages: "Now.", delivery: "now" });
      const receipt = await host.send(TeamInterrupt, { teamId });
      assert.deepEqual([receipt.cancelledTools?.length, receipt.status], [1, "paused"]);
    }
  });
});
