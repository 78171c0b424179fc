import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import {
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamPreviewMessage,
  TeamQueue,
  TeamResolveTools,
  TeamRun,
  TeamSendUserMessage,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import type { TaskResult } from "../../shared/contract/team.ts";
import { HostClient, refusal } from "../host-client.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import { Scratch } from "./harness/scratch.ts";
import { openai } from "./harness/teams.ts";

/** What ann says first, up to where the endpoint holds it back, and all of it. */
const HELD = "one two |three four five six";
const LONG = HELD.replace("|", "");

const PRACTICE: ModelDefinition = {
  provider: "practice",
  pace: 0,
  lines: { ann: [LONG], bob: ["Bob.", "Bob again."] },
};

function talking(ann = PRACTICE, maxTurns = 2): TeamDefinition {
  return {
    name: "Talking",
    kind: "roundRobin",
    participants: [{ name: "ann", model: "ann" }, { name: "bob" }],
    models: { ann, default: PRACTICE },
    maxTurns,
  };
}

/** Ann's endpoint. */
const annSays = (): Promise<HeldEndpoint> => HeldEndpoint.start(HELD, "Ann again.", "Ann.");

const said = ({ messages }: TaskResult): string[] => messages.map(({ source, content }) => `${source}: ${content}`);

/** A team whose first speaker has begun, and goes on when its endpoint does. */
async function running(host: HostClient, ann: HeldEndpoint): Promise<{ readonly run: Promise<TaskResult> }> {
  await host.send(TeamOpen, { teamId: "t", definition: talking(openai(ann.baseUrl)) });
  const run = host.send(TeamRun, { teamId: "t", task: "go" });
  await host.event("t", ({ type }) => type === "message/chunk");
  return { run };
}

describe("a message to the whole team", () => {
  it("that is queued while it runs is delivered after the run: the team goes on with it", async () => {
    await using ann = await annSays();
    await using host = await HostClient.start();
    const { run } = await running(host, ann);
    const queued = host.send(TeamSendUserMessage, { teamId: "t", messages: "And now?", delivery: "queue" });
    await host.event("t", ({ type }) => type === "userMessage/queued");
    const { queued: waiting } = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual(
      waiting.map(({ to, messages }) => [to, messages]),
      [[undefined, ["And now?"]]],
    );
    ann.goOn();
    assert.deepEqual(said(await run), [`user: go`, `ann: ${LONG}`, "bob: Bob."]);
    const result = await queued;
    assert.deepEqual(said(result), ["user: And now?", "ann: Ann again.", "bob: Bob again."]);
    const delivered = host.eventsOf("t").filter(({ type }) => type === "userMessage/delivered");
    assert.deepEqual([delivered.length, "to" in (delivered[0] ?? {})], [1, false]);
  });

  it("that steers is shown to whoever speaks next, and interrupts no one", async () => {
    await using ann = await annSays();
    await using host = await HostClient.start();
    const { run } = await running(host, ann);
    const steered = host.send(TeamSendUserMessage, { teamId: "t", messages: "Be brief.", delivery: "steer" });
    await host.event("t", ({ type }) => type === "userMessage/queued");
    ann.goOn();
    const lines = ["user: go", `ann: ${LONG}`, "user: Be brief.", "bob: Bob."];
    assert.deepEqual(said(await run), lines);
    assert.deepEqual(said(await steered), lines);
  });

  it("is previewed like one to a participant: when it is delivered, who is interrupted, and who sees it", async () => {
    await using ann = await annSays();
    await using host = await HostClient.start();
    const { run } = await running(host, ann);
    const now = await host.send(TeamPreviewMessage, { teamId: "t", delivery: "now" });
    assert.deepEqual(
      [now.when.code, now.interrupts, now.seenBy],
      ["afterInterrupt", [{ participant: "ann" }], ["ann", "bob"]],
    );
    const steered = await host.send(TeamPreviewMessage, { teamId: "t", delivery: "steer" });
    assert.deepEqual([steered.when.code, steered.interrupts], ["atNextTurn", []]);
    const hidden = { teamId: "t", visibility: "target" as const };
    assert.equal((await refusal(host.send(TeamPreviewMessage, hidden))).data.code, "InvalidParams");
    await host.send(TeamInterrupt, { teamId: "t" });
    await run;
  });

  it("that is sent now interrupts the run, and the team goes on with it", async () => {
    await using ann = await annSays();
    await using host = await HostClient.start();
    const { run } = await running(host, ann);
    const result = await host.send(TeamSendUserMessage, { teamId: "t", messages: "Stop that." });
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    assert.match(said(result).join("\n"), /^user: Stop that\.\nann: [\s\S]*\nbob: Bob\.$/);
    assert.equal(result.status.code, "success");
  });

  it("at rest is the task of a run, and one only for its target has a target", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: talking() });
    const result = await host.send(TeamSendUserMessage, { teamId: "t", messages: ["One.", "Two."] });
    assert.deepEqual(said(result), ["user: One.", "user: Two.", `ann: ${LONG}`, "bob: Bob."]);
    const hidden = { teamId: "t", messages: "Psst.", visibility: "target" as const };
    assert.equal((await refusal(host.send(TeamSendUserMessage, hidden))).data.code, "InvalidParams");
  });

  it("at the user's own turn is what the user says, with what is attached", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, {
      teamId: "t",
      definition: {
        name: "With user",
        kind: "roundRobin",
        participants: [{ name: "ann" }, { name: "me", kind: "user" }],
        models: { default: { provider: "practice", pace: 0, lines: { ann: ["Your turn."] } } },
        maxTurns: 2,
      },
    });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual((await host.send(TeamInspect, { teamId: "t" })).awaitingUser, { participant: "me" });
    const attached = { type: "text" as const, text: "one", resource: { kind: "file" as const, name: "a.txt" } };
    await host.send(TeamSendUserMessage, { teamId: "t", messages: "Look.", delivery: "now", context: [attached] });
    const { thread } = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual(thread.find(({ source }) => source === "me")?.content, [
      { type: "text", text: "Look." },
      attached,
    ]);
  });

  it("that waits can be edited, survives an interrupt and the end of the host, and is delivered once", async () => {
    using scratch = new Scratch();
    await using ann = await annSays();
    {
      await using host = await HostClient.start({ storagePath: scratch.path });
      const { run } = await running(host, ann);
      const queued = host.send(TeamSendUserMessage, { teamId: "t", messages: "And now?", delivery: "queue" });
      const event = await host.event("t", ({ type }) => type === "userMessage/queued");
      assert.ok(event.type === "userMessage/queued");
      await host.send(TeamQueue, { teamId: "t", edit: { id: event.id, messages: ["And then?"] } });
      await host.send(TeamInterrupt, { teamId: "t" });
      assert.equal((await queued).waiting, event.id);
      await run;
    }
    await using host = await HostClient.start({ storagePath: scratch.path });
    await host.send(TeamOpen, { teamId: "t" });
    const result = await host.send(TeamRun, { teamId: "t" });
    assert.equal(said(result).filter((line) => line === "user: And then?").length, 1);
    assert.deepEqual((await host.send(TeamInspect, { teamId: "t" })).queued, []);
  });

  it("while calls wait is queued until they are decided; sent now it cancels them", async () => {
    await using host = await HostClient.start();
    await host.send(ToolsRegister, {
      tools: [{ name: "pay", description: "Pays.", inputSchema: { type: "object" }, approval: "ask" }],
    });
    const pay = { calls: [{ tool: "pay", input: {} }] };
    const definition: TeamDefinition = {
      ...talking(PRACTICE, 1),
      participants: [{ name: "ann", tools: ["pay"] }],
      models: { default: { provider: "practice", pace: 0, lines: { ann: [pay, "Paid.", pay, "Not paid.", "More."] } } },
    };
    await host.send(TeamOpen, { teamId: "t", definition });
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "go" })).stopReason, "TOOL_INTERRUPT");
    const left = await host.send(TeamSendUserMessage, { teamId: "t", messages: "And then?", delivery: "queue" });
    const [call] = (await host.send(TeamInspect, { teamId: "t" })).pendingTools;
    assert.ok(call !== undefined && left.waiting !== undefined);
    await host.send(TeamResolveTools, { teamId: "t", deny: [{ ref: call.ref }] });
    await host.event("t", (event) => event.type === "userMessage/delivered" && event.id === left.waiting);
    await host.event("t", (event) => event.type === "tool/interrupted" && event.ref !== call.ref);
    await host.event("t", (event) => event.type === "run/ended" && event.seq > 20);
    const now = await host.send(TeamSendUserMessage, { teamId: "t", messages: "Forget it.", delivery: "now" });
    assert.deepEqual(said(now), ["user: Forget it.", "ann: Not paid."]);
    assert.deepEqual((await host.send(TeamInspect, { teamId: "t" })).pendingTools, []);
  });
});
