import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import {
  TeamFork,
  TeamInspect,
  TeamInterrupt,
  TeamLoadState,
  TeamOpen,
  TeamReset,
  TeamResolveTools,
  TeamRun,
  TeamSaveState,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { HostClient } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { openai } from "./harness/teams.ts";

const pay = { name: "pay", description: "Pays.", inputSchema: { type: "object" } };

/** Ann, and beside her at the same time Eve in the nested team "lab". */
function annBesideEve(baseUrl: string): TeamDefinition {
  const member = (name: string) => ({ name, instructions: `I am ${name}.`, tools: ["pay"] });
  return {
    name: "Talk",
    kind: "graph",
    participants: [
      { name: "chief", instructions: "I am chief." },
      member("ann"),
      {
        name: "lab",
        kind: "team",
        team: { name: "Lab", kind: "roundRobin", participants: [member("eve")], maxTurns: 1 },
      },
    ],
    graph: {
      edges: [
        { from: "chief", to: "ann" },
        { from: "chief", to: "lab" },
      ],
    },
    models: { default: openai(baseUrl) },
  };
}

/** A host with that team, whose models give the same id to each call, and what its tool was called with. */
async function bothCall(approval: "ask" | "never", onCall: (by: string, signal: AbortSignal) => Promise<object>) {
  const endpoint = await FakeEndpoint.start();
  endpoint.mock.on({ systemMessage: "I am chief." }, { content: "go" });
  for (const by of ["ann", "eve"]) {
    const id = "call_0";
    endpoint.calls(by, [{ id, name: "pay", arguments: JSON.stringify({ by }) }]).says(by, `${by} is done`);
  }
  const inputs: unknown[] = [];
  const host = await HostClient.start({
    onToolCall: ({ participant, input }, signal) => {
      inputs.push(input);
      return onCall(participant, signal);
    },
  });
  await host.send(ToolsRegister, { tools: [{ ...pay, approval }] });
  const definition = annBesideEve(endpoint.baseUrl);
  await host.send(TeamOpen, { teamId: "t", definition });
  return {
    host,
    endpoint,
    definition,
    inputs,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

const paid = async () => ({ output: "paid" });

function of(pending: readonly PendingTool[], participant: string): PendingTool {
  const found = pending.find((call) => call.participant === participant);
  assert.ok(found, `${participant} has no pending call`);
  return found;
}

describe("calls to which the models of a team and of a nested team give the same id", () => {
  it("are two calls: an approval with an edited input runs one of them, and the other still waits", async () => {
    await using both = await bothCall("ask", paid);
    const { host, inputs } = both;
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
    const [ann, eve] = [of(pendingTools, "ann"), of(pendingTools, "eve")];
    assert.notEqual(ann.ref, eve.ref);
    const restart = [{ ref: ann.ref, input: { by: "ann", edited: true } }];
    assert.deepEqual(await host.send(TeamResolveTools, { teamId: "t", restart }), { remaining: [eve.ref] });
    assert.deepEqual(inputs, [{ by: "ann", edited: true }]);
    await host.send(TeamResolveTools, { teamId: "t", deny: [{ ref: eve.ref }] });
    const results = host
      .eventsOf("t")
      .flatMap((event) => (event.type === "tool/executed" ? [[event.participant, event.ref, event.output]] : []));
    assert.deepEqual(results, [
      ["ann", ann.ref, "paid"],
      ["eve", eve.ref, "The user denied this call."],
    ]);
    assert.equal(inputs.length, 1);
  });

  it("are stopped one by one: an interrupt of one call leaves the other running", async () => {
    const cancelled: string[] = [];
    const done = Promise.withResolvers<void>();
    await using both = await bothCall("never", async (by, signal) => {
      const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      await Promise.race([aborted.then(() => cancelled.push(by)), done.promise]);
      return { output: "paid" };
    });
    const { host } = both;
    const running = host.send(TeamRun, { teamId: "t", task: "go" });
    const refs = new Map<string, string>();
    await host.event("t", (event) => {
      if (event.type === "tool/requested") for (const { ref } of event.calls) refs.set(event.participant, ref);
      return refs.size === 2;
    });
    const started = new Set<string>();
    await host.event("t", (event) => event.type === "tool/started" && started.add(event.ref).size === 2);
    const receipt = await host.send(TeamInterrupt, { teamId: "t", scope: { ref: refs.get("eve") ?? "" } });
    assert.equal(receipt.wasRunning, true);
    assert.deepEqual(cancelled, ["eve"]);
    done.resolve();
    assert.equal((await running).status.code, "success");
  });

  it("have different refs also after a reset, in a copy of the team and in a loaded state", async () => {
    await using both = await bothCall("never", paid);
    const { host, definition, endpoint } = both;
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const state = await host.send(TeamSaveState, { teamId: "t" });
    await host.send(TeamFork, { teamId: "t", newTeamId: "copy" });
    await host.send(TeamOpen, { teamId: "loaded", definition });
    await host.send(TeamLoadState, { teamId: "loaded", state });
    assert.deepEqual(await host.send(TeamSaveState, { teamId: "loaded" }), state);
    await host.send(TeamReset, { teamId: "t" });
    endpoint.mock.clearRequests();
    for (const teamId of ["t", "copy", "loaded"]) await host.send(TeamRun, { teamId, task: "again" });
    const refs = ["t", "copy", "loaded"].flatMap((teamId) =>
      host
        .eventsOf(teamId)
        .flatMap((event) => (event.type === "tool/requested" ? event.calls.map(({ ref }) => ref) : [])),
    );
    assert.ok(refs.length >= 4, `${refs.length} calls`);
    assert.equal(new Set(refs).size, refs.length);
  });
});
