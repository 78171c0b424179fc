import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limitedEndpoint } from "../../server/models/testing/limited-endpoint.ts";
import { delta, finished, rawEndpoint, sendJson, sendStream } from "../../server/models/testing/raw-endpoint.ts";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import { TeamInspect, TeamInterrupt, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { openai } from "./harness/teams.ts";

/** A graph whose branches speak at the same time, and then their join. */
const graphOf = (branches: number, baseUrl: string): TeamDefinition => {
  const names = Array.from({ length: branches }, (_, at) => `branch${at + 1}`);
  return {
    name: "Branches",
    kind: "graph",
    participants: [...names, "join"].map((name) => ({ name, instructions: `I am ${name}.` })),
    models: { default: openai(baseUrl) },
    graph: { edges: names.map((from) => ({ from, to: "join" })) },
  };
};

/** Two running teams of one host whose endpoint has told the first one to wait for a minute; the second one waits too. */
async function twoTeamsWaiting() {
  const endpoint = await rawEndpoint((response, count) =>
    count === 1
      ? sendJson(response, 429, {}, { "retry-after": "60" })
      : sendStream(response, delta({ content: "ok" }), finished),
  );
  const host = await HostClient.start();
  for (const teamId of ["first", "second"]) await host.send(TeamOpen, { teamId, definition: graphOf(1, endpoint.url) });
  const first = host.send(TeamRun, { teamId: "first", task: "go" });
  await host.event("first", ({ type }) => type === "model/retry");
  const second = host.send(TeamRun, { teamId: "second", task: "go" });
  const waits = await host.event("second", ({ type }) => type === "model/waiting");
  assert.ok(waits.type === "model/waiting");
  const end = async (): Promise<void> => {
    await host[Symbol.asyncDispose]();
    await endpoint[Symbol.asyncDispose]();
  };
  return { host, endpoint, first, second, waits, [Symbol.asyncDispose]: end };
}

describe("rate limits", () => {
  it("a graph of 100 branches against a server that takes 5 at once ends without an error", async () => {
    await using host = await HostClient.start();
    const waiting = host.event("t", ({ type }) => type === "model/waiting");
    await using endpoint = await limitedEndpoint(5, 5, waiting);
    await host.send(TeamOpen, { teamId: "t", definition: graphOf(100, endpoint.url) });
    const { status, messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual([status, messages.length], [{ code: "success" }, 102]);
    assert.deepEqual(new Set(messages.slice(1).map(({ content }) => content)), new Set(["ok"]));
    assert.equal(endpoint.most, 5);
    const waited = host.eventsOf("t").filter(({ type }) => type === "model/waiting" || type === "model/waited");
    assert.ok(waited.length > 0 && waited.length % 2 === 0, "each wait that is reported ends");
    const { participants } = await host.send(TeamInspect, { teamId: "t" });
    assert.ok(participants.every(({ waitsFor }) => waitsFor === undefined));
  });

  it("teams of one host wait together until the time that the endpoint names, which each participant tells", async () => {
    await using waiting = await twoTeamsWaiting();
    const { host, endpoint, first, second, waits } = waiting;
    const { participants } = await host.send(TeamInspect, { teamId: "second" });
    assert.deepEqual(participants[0]?.waitsFor, { endpoint: endpoint.host, until: waits.until });
    assert.ok(Date.parse(waits.until ?? "") > Date.parse(waits.at));
    for (const teamId of ["first", "second"]) await host.send(TeamInterrupt, { teamId });
    assert.deepEqual([(await first).stopReason, (await second).stopReason], ["USER_INTERRUPT", "USER_INTERRUPT"]);
    assert.equal(endpoint.requests.length, 1);
    const after = await host.send(TeamInspect, { teamId: "second" });
    assert.equal(after.participants[0]?.waitsFor, undefined);
  });

  it("an interrupt that lets the current answers end does not wait for one that was not asked for", async () => {
    await using waiting = await twoTeamsWaiting();
    const { host, endpoint, first, second } = waiting;
    await host.send(TeamInterrupt, { teamId: "second", grace: "thought" });
    assert.equal((await second).stopReason, "USER_INTERRUPT");
    await host.send(TeamInterrupt, { teamId: "first" });
    await first;
    assert.equal(endpoint.requests.length, 1);
  });
});
