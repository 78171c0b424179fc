import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDurable } from "../../shared/contract/event.ts";
import { TeamList, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const RUNS = 60;

describe("two windows on one storage", () => {
  it("never have a run refused because the other looks, and are told every event once and in order", async () => {
    using scratch = new Scratch();
    await using writer = await HostClient.start({ storagePath: scratch.path });
    await using reader = await HostClient.start({ storagePath: scratch.path });
    await writer.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 2 }) });
    await reader.send(TeamOpen, { teamId: "t" });
    let isDone = false;
    const looking = (async () => {
      while (!isDone) await Promise.all([reader.send(TeamList, {}), reader.send(TeamOpen, { teamId: "t" })]);
    })();
    const codes: string[] = [];
    try {
      for (let run = 0; run < RUNS; run++) {
        const { status } = await writer.send(TeamRun, { teamId: "t", task: "go" });
        codes.push(status.code);
      }
    } finally {
      isDone = true;
      await looking;
    }

    assert.deepEqual(codes, Array(RUNS).fill("success"));
    const { lastSeq } = await reader.send(TeamOpen, { teamId: "t" });
    const told = reader.eventsOf("t").filter(isDurable);
    assert.deepEqual(
      told.map(({ seq }) => seq),
      Array.from({ length: lastSeq }, (_, index) => index + 1),
    );
    assert.deepEqual(told, writer.eventsOf("t").filter(isDurable));
  });
});
