import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDurable } from "../../shared/contract/event.ts";
import { TeamEvents, TeamInspect, TeamList, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
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

  it("that run a team at the same time: one of them runs it, and the other is refused or runs it after that", async () => {
    using scratch = new Scratch();
    await using one = await HostClient.start({ storagePath: scratch.path });
    await using two = await HostClient.start({ storagePath: scratch.path });
    const windows = [one, two];
    await one.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 1 }) });
    await two.send(TeamOpen, { teamId: "t" });
    let runs = 0;
    for (let round = 0; round < RUNS; round++) {
      const outcomes = await Promise.all(
        windows.map(async (window) => {
          const run = window.send(TeamRun, { teamId: "t", task: "go" });
          return run.then(
            ({ status }) => status.code,
            async () => (await refusal(run)).data.code,
          );
        }),
      );
      const succeeded = outcomes.filter((code) => code === "success").length;
      assert.ok(succeeded > 0, `round ${round}: ${outcomes.join(", ")}`);
      assert.equal(outcomes.filter((code) => code === "TeamBusy").length, windows.length - succeeded);
      runs += succeeded;
    }

    const stored = await Promise.all(
      windows.map(async (window) => {
        await window.send(TeamInspect, { teamId: "t" });
        return (await window.send(TeamEvents, { teamId: "t" })).events;
      }),
    );
    assert.equal(stored[0]?.filter(({ type }) => type === "run/ended").length, runs);
    for (const [at, window] of windows.entries()) {
      assert.deepEqual(stored[at], stored[0]);
      assert.deepEqual(window.eventsOf("t").filter(isDurable), stored[0]);
    }
  });
});
