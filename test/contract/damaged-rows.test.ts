import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { TeamEvents, TeamList, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

/** A stored team "t" that has run once, and "u" beside it, after `sql` has changed the store. */
async function storedTeams(scratch: Scratch, sql: string): Promise<void> {
  await using host = await HostClient.start({ storagePath: scratch.path });
  for (const teamId of ["t", "u"]) {
    await host.send(TeamOpen, { teamId, definition: roundRobin({ maxTurns: 2 }) });
    await host.send(TeamRun, { teamId, task: "go" });
  }
  await host.shutdown();
  const database = new DatabaseSync(join(scratch.path, "gavel.db"));
  database.exec(sql);
  database.close();
}

describe("a row of the store that cannot be read", () => {
  it("costs one event, which is said in the chat and once in a message; the team runs on, and no other is affected", async () => {
    using scratch = new Scratch();
    const wasBob = `team = 1 AND json LIKE '%message/added%' AND json LIKE '%bob speaks%'`;
    await storedTeams(scratch, `UPDATE events SET json = replace(json, '"id":', '"id":null,"x":') WHERE ${wasBob}`);

    await using host = await HostClient.start({ storagePath: scratch.path });
    const { thread } = await host.send(TeamOpen, { teamId: "t" });
    assert.deepEqual(
      thread.map(({ source }) => source),
      ["user", "ann"],
    );
    const { events } = await host.send(TeamEvents, { teamId: "t" });
    assert.deepEqual(
      events.map((event) => "seq" in event && event.seq),
      events.map((_, at) => at + 1),
    );
    const lost = events.find((event) => event.type === "error");
    assert.ok(lost);
    assert.match(lost.message, /gavel\.db contains an event \(number \d+\) that is damaged .*, so it is left out\./);
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "go on" });
    assert.deepEqual(messages.length, 3);
    assert.equal((await host.send(TeamRun, { teamId: "u", task: "go on" })).messages.length, 3);
    assert.equal(host.shown.length, 1);
    assert.match(host.shown[0] ?? "", /it is left out, and the rest of its team is kept\./);
    assert.ok(host.logs.some(({ level, message }) => level === "warn" && message === host.shown[0]));
  });

  it("costs a team's definition: the other teams are listed, and its team file opens it again with its thread", async () => {
    using scratch = new Scratch();
    await storedTeams(scratch, `UPDATE teams SET definition = '{"name":' WHERE teamId = 't'`);

    await using host = await HostClient.start({ storagePath: scratch.path });
    const listed = async (): Promise<string[]> =>
      (await host.send(TeamList, {})).teams.map(({ teamId }) => teamId).sort();
    assert.deepEqual(await listed(), ["u"]);
    assert.match(host.shown[0] ?? "", /the team "t" that is damaged .*: it is left out of the list\./);
    const { message, data } = await refusal(host.send(TeamOpen, { teamId: "t" }));
    assert.equal(data.code, "StorageError");
    assert.match(message, /open the team with its team file to give it a definition again/);
    const { thread } = await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 2 }) });
    assert.deepEqual(
      thread.map(({ source }) => source),
      ["user", "ann", "bob"],
    );
    assert.deepEqual(await listed(), ["t", "u"]);
  });
});
