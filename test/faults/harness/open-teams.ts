import assert from "node:assert/strict";
import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import {
  StorageResolve,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  ToolsRegister,
} from "../../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { snapshotOf, stateFromSnapshot } from "../../../shared/state/team-state.ts";
import type { Asks, HostClient } from "../../host-client.ts";
import { COUNTED_TOOL, eightTeams } from "./eight-teams.ts";
import { isDurable, lostProblems, runProblems, storedEvents, storedProblems } from "./told.ts";
import { goOn } from "./user-acts.ts";

/** So often a team at rest is let go on until a run of it succeeds. */
const MOST_RUNS = 5;

export type Told = ReadonlyMap<string, readonly TeamEvent[]>;

export const eightIds = Object.keys(eightTeams);

/** Opens the eight teams, and compares what is stored with what clients were told. `onStored` is called with each event. */
export async function openTeams(
  host: HostClient,
  told: Told,
  onStored: (event: DurableEvent) => void = () => {},
): Promise<TeamSnapshot[]> {
  const tool = { name: COUNTED_TOOL, description: "Records.", inputSchema: {}, approval: "never" as const };
  await host.send(ToolsRegister, { tools: [tool] });
  const snapshots: TeamSnapshot[] = [];
  for (const [teamId, definition] of Object.entries(eightTeams)) {
    const snapshot = await host.send(TeamOpen, { teamId, definition });
    snapshots.push(snapshot);
    const stored = await storedEvents(host, teamId);
    const pending = new Set(snapshot.pendingTools.map(({ ref }) => ref));
    const problems = [
      ...(["running", "interrupting"].includes(snapshot.status) ? [`the team is ${snapshot.status}`] : []),
      ...(snapshot.streaming.length === 0 ? [] : ["a message is still open"]),
      ...lostProblems(told.get(teamId) ?? [], stored),
      ...storedProblems(stored, pending),
      ...runProblems(stored),
    ];
    assert.deepEqual(problems, [], `the team ${teamId}`);
    for (const event of stored) onStored(event);
  }
  return snapshots;
}

/** Lets a team go on from where it is. */
export const goOnFrom = async (host: Asks, teamId: string): ReturnType<typeof goOn> =>
  goOn(host, await host.send(TeamInspect, { teamId }));

/** Interrupts what a message that waited has begun, although its request has been answered. */
async function rest(host: Asks, teamId: string): Promise<void> {
  while (["running", "interrupting"].includes((await host.send(TeamInspect, { teamId })).status))
    await host.send(TeamInterrupt, { teamId });
}

/** Lets each team go on until one of its runs succeeds. */
export async function finishTeams(host: Asks): Promise<void> {
  const finish = async (teamId: string): Promise<void> => {
    const ends: unknown[] = [];
    await rest(host, teamId);
    for (let left = MOST_RUNS; left > 0; left--) {
      const result = await goOnFrom(host, teamId);
      if (result?.status.code === "success" && result.stopReason !== "TOOL_INTERRUPT") return rest(host, teamId);
      ends.push(result?.status);
    }
    assert.fail(`The team ${teamId} does not go on: ${JSON.stringify(ends)}`);
  };
  await Promise.all(eightIds.map(finish));
}

/** Of teams at rest that were opened as `opened`: what this client was told since is what is stored and what is shown. */
export async function assertToldAll(host: HostClient, opened: readonly TeamSnapshot[]): Promise<void> {
  assert.deepEqual(await host.send(StorageResolve, { action: "retry" }), { state: "saving" });
  for (const before of opened) {
    const { teamId } = before;
    const shown = await host.send(TeamInspect, { teamId });
    const told = host.eventsOf(teamId);
    const stored = await storedEvents(host, teamId);
    const since = stored.filter(({ seq }) => seq > before.lastSeq);
    assert.deepEqual(told.filter(isDurable), since, `the events of the team ${teamId}`);
    assert.deepEqual(snapshotOf(told.reduce(reduceTeam, stateFromSnapshot(before))), shown, `the team ${teamId}`);
    const pending = new Set(shown.pendingTools.map(({ ref }) => ref));
    const problems = [...lostProblems(told, stored), ...storedProblems(stored, pending), ...runProblems(stored)];
    assert.deepEqual(problems, [], `the team ${teamId}`);
  }
}
