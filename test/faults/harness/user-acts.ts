import assert from "node:assert/strict";
import type { RandomInt } from "../../../server/engine/testing/random.ts";
import {
  TeamDelete,
  TeamFork,
  TeamInterrupt,
  TeamLoadState,
  TeamReset,
  TeamResolveTools,
  TeamRun,
  TeamSaveState,
  TeamSendUserMessage,
} from "../../../shared/contract/requests.ts";
import type { TaskResult, TeamSnapshot } from "../../../shared/contract/team.ts";
import type { Asks } from "../../host-client.ts";
import { eightTeams } from "./eight-teams.ts";

const teamIds = Object.keys(eightTeams);

export function oneOf<T>(values: readonly T[], random: RandomInt): T {
  const value = values[random(values.length)];
  assert.ok(value !== undefined);
  return value;
}

/** Something that a user does while the eight teams run. @throws what the host refuses it with. */
export async function act(host: Asks, random: RandomInt): Promise<void> {
  const teamId = oneOf(teamIds, random);
  const names = (eightTeams[teamId]?.participants ?? []).map(({ name }) => name);
  const to = oneOf(names, random);
  const messages = "What have you done so far?";
  const acts: readonly (() => Promise<unknown>)[] = [
    () => host.send(TeamInterrupt, { teamId }).then(() => host.send(TeamRun, { teamId })),
    () => host.send(TeamInterrupt, { teamId, scope: { participant: to }, severity: "stop" }),
    () => host.send(TeamSendUserMessage, { teamId, to, messages }),
    () => host.send(TeamSendUserMessage, { teamId, to, messages, delivery: "queue" }),
    () => host.send(TeamSendUserMessage, { teamId, to, messages, delivery: "steer" }),
  ];
  await oneOf([...acts, ...actsAtRest(host, teamId, `copy ${random(4)} of ${teamId}`)], random)();
}

/** What a user does with a team that is interrupted first; it goes on afterwards. */
function actsAtRest(host: Asks, teamId: string, newTeamId: string): readonly (() => Promise<unknown>)[] {
  const atRest = async (work: () => Promise<unknown>): Promise<void> => {
    await host.send(TeamInterrupt, { teamId });
    await work();
    await host.send(TeamRun, { teamId });
  };
  return [
    () => atRest(() => host.send(TeamReset, { teamId })),
    () => atRest(async () => host.send(TeamLoadState, { teamId, state: await host.send(TeamSaveState, { teamId }) })),
    () =>
      atRest(() => host.send(TeamFork, { teamId, newTeamId })).then(() => host.send(TeamRun, { teamId: newTeamId })),
    () => host.send(TeamDelete, { teamId: newTeamId }),
  ];
}

/**
 * Lets a team go on as its user would: pending calls are answered, an interrupted run is taken up, a new one is begun.
 * Returns the result of the run; undefined if calls are still pending.
 */
export async function goOn(host: Asks, snapshot: TeamSnapshot): Promise<TaskResult | undefined> {
  const { teamId, pendingTools, interrupted } = snapshot;
  if (pendingTools.length === 0) return host.send(TeamRun, { teamId, ...(interrupted ? {} : { task: "go" }) });
  const respond = pendingTools.map(({ ref }) => ({ ref, output: "It was recorded." }));
  return (await host.send(TeamResolveTools, { teamId, respond })).result;
}
