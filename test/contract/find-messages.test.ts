import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TeamFind, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const says = (...lines: readonly string[]) => ({ provider: "practice" as const, pace: 0, lines: { ann: [...lines] } });

async function talk(host: HostClient, teamId: string, ...lines: readonly string[]): Promise<void> {
  const definition = roundRobin({ names: ["ann"], model: says(...lines), maxTurns: lines.length });
  await host.send(TeamOpen, { teamId, definition });
  await host.send(TeamRun, { teamId, task: `Task of ${teamId}` });
}

describe("team/find", () => {
  it("finds messages in all stored teams by a part of their text, in any letter case, the newest first", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path });
    await talk(host, "a", "A grey\nHeron stands there.", "nothing", 'It said "ÄRGER" and 100% \\\\ more.');
    await talk(host, "b", ...Array.from({ length: 5 }, (_, at) => `heron number ${at}`));
    await using other = await HostClient.start({ storagePath: scratch.path });
    const find = async (query: string) =>
      (await other.send(TeamFind, { query })).hits.map(
        ({ teamId, source, excerpt }) => `${teamId} ${source}: ${excerpt}`,
      );
    assert.deepEqual(await find(" HERON "), [
      "b ann: heron number 4",
      "b ann: heron number 3",
      "b ann: heron number 2",
      "a ann: A grey Heron stands there.",
    ]);
    assert.deepEqual(await find("ärger"), ['a ann: It said "ÄRGER" and 100% \\\\ more.']);
    assert.deepEqual(await find('"ä'), ['a ann: It said "ÄRGER" and 100% \\\\ more.']);
    assert.deepEqual(await find("100% \\\\"), ['a ann: It said "ÄRGER" and 100% \\\\ more.']);
    assert.deepEqual(await find("task of b"), ["b user: Task of b"]);
    for (const none of ["kingfisher", "messageId", "message/added"]) assert.deepEqual(await find(none), []);
    assert.equal((await other.send(TeamFind, { query: "heron", limit: 2 })).hits.length, 2);
    const { data } = await refusal(other.send(TeamFind, { query: "  " }));
    assert.deepEqual([data.code, data.problems?.[0]?.path], ["InvalidParams", "query"]);
  });
});
