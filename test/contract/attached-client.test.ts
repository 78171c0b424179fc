import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDurable } from "../../shared/contract/event.ts";
import { TeamInspect, TeamInterrupt, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import { snapshotOf, stateFromSnapshot } from "../../shared/state/team-state.ts";
import { HostClient } from "../host-client.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import { openai, roundRobin } from "./harness/teams.ts";

describe("a client that attaches while a participant speaks", () => {
  it("has the host's counts when the run stops: messages, turns and usage", async () => {
    await using endpoint = await HeldEndpoint.start("I am ann.", "I am bob.", "I am |cid.", "I am dan.", "Ann |again.");
    await using host = await HostClient.start();
    const model = openai(endpoint.baseUrl);
    const within = { ...roundRobin({ names: ["cid", "dan"], model, maxTurns: 2 }), name: "Research" };
    const team = roundRobin({ model });
    const definition = { ...team, participants: [...team.participants, { name: "lab", kind: "team", team: within }] };
    await host.send(TeamOpen, { teamId: "t", definition });
    const speaking = host.event("t", (event) => event.type === "message/chunk" && event.path !== undefined);
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await speaking;
    const attached = await host.send(TeamInspect, { teamId: "t" });
    assert.equal(attached.status, "running");
    assert.deepEqual(attached.inProgress?.selected.participants, ["lab"]);
    endpoint.goOn();
    await host.event("t", (event) => event.type === "reasoning/conclusion" && event.from === "lab");
    await host.send(TeamInterrupt, { teamId: "t" });
    await run;

    const later = host.eventsOf("t").filter((event) => isDurable(event) && event.seq > attached.lastSeq);
    const folded = snapshotOf(later.reduce(reduceTeam, stateFromSnapshot(attached)));

    const shown = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual(folded, shown);
    assert.ok(shown.turn >= 3);
    assert.ok(shown.participants.every(({ turns = 0 }) => turns > 0));
  });
});
