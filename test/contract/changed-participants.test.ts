import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import {
  TeamChangeParticipants,
  TeamCheckpoints,
  TeamFork,
  TeamInspect,
  TeamInterrupt,
  TeamLoadState,
  TeamOpen,
  TeamRewind,
  TeamRun,
  TeamSaveState,
} from "../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { HostClient, refusal } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { beginLongRun } from "./harness/long-run.ts";
import { Scratch } from "./harness/scratch.ts";
import { practice, roundRobin } from "./harness/teams.ts";

const definition = roundRobin({ maxTurns: 2 });
const namesIn = ({ participants }: TeamSnapshot): string[] => participants.map(({ name }) => name);
const said = ({ thread }: TeamSnapshot): string[] => thread.map(({ content }) => String(content));
const saying = (name: string) => ({ name, instructions: `I am ${name}.` });

/** Opens the team, runs it, and puts cid in bob's place and dora behind. */
async function changedTeam(host: HostClient): Promise<TeamSnapshot> {
  const models = { default: practice(["ann", "bob"]), other: { ...practice([]), lines: {} } };
  await host.send(TeamOpen, { teamId: "t", definition: { ...definition, models } });
  await host.send(TeamRun, { teamId: "t", task: "one" });
  return host.send(TeamChangeParticipants, {
    teamId: "t",
    changes: [{ replace: "bob", with: saying("cid") }, { add: saying("dora") }],
  });
}

describe("team/changeParticipants", () => {
  it("changes who takes part; the log, other hosts, a restart, a fork and a saved state have it", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    let saved: unknown;
    {
      await using host = await HostClient.start(options);
      const changed = await changedTeam(host);
      assert.deepEqual(namesIn(changed), ["ann", "cid", "dora"]);
      assert.deepEqual(
        changed.definition?.participants.map(({ name }) => name),
        ["ann", "cid", "dora"],
      );
      assert.deepEqual(said(changed), ["one", "ann speaks", "bob speaks"]);
      const event = host.eventsOf("t").find(({ type }) => type === "participants/changed");
      assert.partialDeepStrictEqual(event, {
        by: "user",
        changes: [
          { kind: "replaced", name: "bob", by: "cid" },
          { kind: "added", name: "dora" },
        ],
      });
      await using other = await HostClient.start(options);
      assert.deepEqual(namesIn(await other.send(TeamOpen, { teamId: "t" })), ["ann", "cid", "dora"]);
      const { messages } = await other.send(TeamRun, { teamId: "t", task: "two" });
      assert.deepEqual(
        messages.map(({ source }) => source),
        ["user", "dora", "ann"],
      );
      saved = await other.send(TeamSaveState, { teamId: "t" });
      assert.deepEqual(namesIn(await host.send(TeamInspect, { teamId: "t" })), ["ann", "cid", "dora"]);
      assert.deepEqual(namesIn(await host.send(TeamFork, { teamId: "t", newTeamId: "copy" })), ["ann", "cid", "dora"]);
      // On a server a killed host would keep what it has just copied until its lease ends.
      await host.shutdown();
      await other.shutdown();
    }
    await using next = await HostClient.start(options);
    for (const teamId of ["t", "copy"]) {
      assert.deepEqual(namesIn(await next.send(TeamOpen, { teamId })), ["ann", "cid", "dora"]);
      const { messages } = await next.send(TeamRun, { teamId, task: "three" });
      assert.deepEqual(
        messages.map(({ source }) => source),
        ["user", "cid", "dora"],
      );
    }
    await next.send(TeamOpen, { teamId: "u", definition });
    const loaded = await next.send(TeamLoadState, { teamId: "u", state: saved });
    assert.deepEqual(namesIn(loaded), ["ann", "cid", "dora"]);
    const after = await next.send(TeamRun, { teamId: "u", task: "four" });
    assert.deepEqual(
      after.messages.map(({ source }) => source),
      ["user", "cid", "dora"],
    );
  });

  it("is taken back by going back to before it, and comes again by undoing that", async () => {
    await using host = await HostClient.start();
    await changedTeam(host);
    await host.send(TeamRun, { teamId: "t", task: "two" });
    const { checkpoints } = await host.send(TeamCheckpoints, { teamId: "t" });
    const seq = checkpoints.find(({ text }) => text === "one")?.seq ?? -1;
    const { team, from } = await host.send(TeamRewind, { teamId: "t", seq });
    assert.deepEqual(namesIn(team), ["ann", "bob"]);
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "other" });
    assert.deepEqual(
      messages.map(({ source }) => source),
      ["user", "ann", "bob"],
    );
    const again = await host.send(TeamRewind, { teamId: "t", seq: from });
    assert.deepEqual(namesIn(again.team), ["ann", "cid", "dora"]);
  });

  it("is replaced by another definition of the team’s file, and not by the same one", async () => {
    using scratch = new Scratch();
    const file = join(scratch.path, "a.team.json");
    const uri = pathToFileURL(file).href;
    await using host = await HostClient.start();
    writeFileSync(file, JSON.stringify(definition));
    await host.send(TeamOpen, { teamId: "t", uri });
    await host.send(TeamChangeParticipants, { teamId: "t", changes: [{ remove: "bob" }] });
    const same = await host.send(TeamOpen, { teamId: "t", uri });
    assert.deepEqual(namesIn(same), ["ann"]);
    writeFileSync(file, JSON.stringify({ ...definition, maxTurns: 3 }));
    assert.deepEqual(namesIn(await host.send(TeamOpen, { teamId: "t", uri })), ["ann", "bob"]);
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(messages.length, 4);
  });

  it("is refused while the team runs, for unknown names, and with every problem that a team file would have", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);
    const refused = async (change: object) => {
      const error = await refusal(host.connection.sendRequest("team/changeParticipants", { teamId: "t", ...change }));
      return [error.data.code, ...(error.data.problems ?? []).map(({ path }) => path)];
    };
    assert.deepEqual(await refused({ changes: [{ remove: "bob" }] }), ["TeamBusy"]);
    await host.send(TeamInterrupt, { teamId: "t" });
    await run;
    const { lastSeq } = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual(await refused({ changes: [{ remove: "zoe" }] }), ["UnknownParticipant"]);
    assert.deepEqual(await refused({ changes: [{ add: { name: "ann" } }] }), [
      "InvalidDefinition",
      "participants[2].name",
    ]);
    assert.deepEqual(await refused({ changes: [{ add: { name: "cid", tools: ["nope"], model: "no" } }, { add: 7 }] }), [
      "InvalidDefinition",
      "participants[3]",
      "participants[2].model",
      "participants[2].tools[0]",
    ]);
    assert.deepEqual(await refused({ changes: [{ remove: "ann" }, { remove: "bob" }] }), [
      "InvalidDefinition",
      "participants",
    ]);
    assert.deepEqual(await refused({ within: ["bob"], changes: [{ remove: "ann" }] }), ["InvalidParams", "within"]);
    assert.deepEqual(await refused({ changes: [] }), ["InvalidParams", "changes"]);
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).lastSeq, lastSeq);
  });

  it("changes a nested team, and a graph with the edges that are given", async () => {
    await using host = await HostClient.start();
    const inner = { ...definition, models: undefined };
    const nested = {
      ...definition,
      participants: [saying("ann"), { name: "group", kind: "team" as const, team: inner }],
      models: { default: practice(["ann", "bob"]) },
    };
    await host.send(TeamOpen, { teamId: "n", definition: nested });
    const changes = [{ replace: "bob", with: { instructions: "I am bob now." } }];
    const changed = await host.send(TeamChangeParticipants, { teamId: "n", within: ["group"], changes });
    assert.equal(changed.definition?.participants[1]?.team?.participants[1]?.instructions, "I am bob now.");
    await host.send(TeamRun, { teamId: "n", task: "go" });

    const edges = [
      { from: "ann", to: "bob" },
      { from: "bob", to: "cid" },
    ];
    const graph = { ...roundRobin({ names: ["ann", "bob", "cid"] }), kind: "graph" as const, graph: { edges } };
    await host.send(TeamOpen, { teamId: "g", definition: graph });
    const remove = { teamId: "g", changes: [{ remove: "bob" }] };
    assert.equal((await refusal(host.send(TeamChangeParticipants, remove))).data.code, "InvalidDefinition");
    await host.send(TeamChangeParticipants, { ...remove, edges: [{ from: "ann", to: "cid" }] });
    const { messages } = await host.send(TeamRun, { teamId: "g", task: "go" });
    assert.deepEqual(
      messages.map(({ source }) => source),
      ["user", "ann", "cid"],
    );
  });
});
