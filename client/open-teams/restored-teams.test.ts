import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryMemento } from "../testing/memory-memento.ts";
import { teamsHost } from "../testing/teams-host.ts";
import { OpenTeams } from "./open-teams.ts";
import { RememberedTeams } from "./remembered-teams.ts";
import { RestoredTeams } from "./restored-teams.ts";

/** A window that had these teams open; the host has only `a` and `b`. */
async function windowWith(...teamIds: readonly string[]) {
  const memento = memoryMemento();
  const remembered = new RememberedTeams(memento);
  await remembered.remember(teamIds);
  const teams = new OpenTeams(teamsHost("a", "b").host);
  const ids = (): string => teams.all.map(({ state }) => state?.teamId).join("");
  return { teams, remembered, restored: new RestoredTeams(teams, remembered), ids };
}

test("the teams that the window had open are open again, and the one that was active is active", async () => {
  const { teams, restored, ids } = await windowWith("b", "a");
  await Promise.all([restored.restore(), restored.restore()]);
  assert.deepEqual([ids(), teams.active?.state?.teamId], ["ba", "b"]);
});

test("a team that cannot be restored is told of once, and hinders nothing with the others", async () => {
  const { restored, remembered, ids } = await windowWith("broken", "a");
  await assert.rejects(restored.restore(), /There is no team "broken"/);
  await restored.restore();
  assert.deepEqual([ids(), remembered.teamIds], ["a", ["a", "broken"]]);
});

test("while no team is open, the one that cannot be restored is tried again", async () => {
  const { restored } = await windowWith("broken");
  await assert.rejects(restored.restore(), /There is no team "broken"/);
  await assert.rejects(restored.restore(), /There is no team "broken"/);
});
