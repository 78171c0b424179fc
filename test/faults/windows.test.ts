import assert from "node:assert/strict";
import { it } from "node:test";
import { seededRandom } from "../../server/engine/testing/random.ts";
import { TeamEvents, TeamInspect, TeamList, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { roundRobin } from "../contract/harness/teams.ts";
import { HostClient } from "../host-client.ts";
import { isDurable, lostProblems, storedEvents } from "./harness/told.ts";

/** How many things are done in the windows. */
const ACTS = Number(process.env["FAULT_ACTS"] ?? 150);
/** Printed with the test; the same seed does the same in the same windows. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const WINDOWS = 3;
const AT_ONCE = 4;

const teamIds = ["a", "b", "c"];

/** A window and the team that it runs now, if any. */
interface Window {
  readonly host: HostClient;
  readonly running: Set<string>;
}

it(`${WINDOWS} windows use the same ${teamIds.length} teams: each is told every event once, and no run is refused without reason (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  using scratch = new Scratch();
  const start = async (): Promise<Window> => ({
    host: await HostClient.start({ storagePath: scratch.path }),
    running: new Set(),
  });
  const windows = await Promise.all(Array.from({ length: WINDOWS }, start));
  await using hosts = new AsyncDisposableStack();
  for (const { host } of windows) hosts.use(host);
  for (const { host } of windows)
    for (const teamId of teamIds) await host.send(TeamOpen, { teamId, definition: roundRobin({ maxTurns: 3 }) });

  let left = ACTS;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const window = windows[random(WINDOWS)];
      const teamId = teamIds[random(teamIds.length)];
      assert.ok(window !== undefined && teamId !== undefined);
      await act(window, teamId, random(4));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  for (const { host } of windows)
    for (const teamId of teamIds) {
      await host.send(TeamInspect, { teamId });
      const stored = await storedEvents(host, teamId);
      const told = host.eventsOf(teamId).filter(isDurable);
      assert.deepEqual(
        told.map(({ seq }) => seq),
        stored.map(({ seq }) => seq),
        `what was told of the team ${teamId}`,
      );
      assert.deepEqual(lostProblems(told, stored), []);
    }

  async function act({ host, running }: Window, teamId: string, kind: number): Promise<void> {
    if (kind === 0) await host.send(TeamList, {});
    else if (kind === 1) await host.send(TeamEvents, { teamId, after: random(30) });
    else if (kind === 2) await host.send(TeamInspect, { teamId });
    else {
      // Another run that is asked for or going on, in any window, may refuse this one.
      const others = windows.some((window) => window.running.has(teamId));
      if (others) return;
      running.add(teamId);
      try {
        await host.send(TeamRun, { teamId, task: "go" });
      } finally {
        running.delete(teamId);
      }
    }
  }
});
