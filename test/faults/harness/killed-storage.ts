import assert from "node:assert/strict";
import type { RandomInt } from "../../server/engine/testing/random.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import {
  TeamDelete,
  TeamFork,
  TeamInterrupt,
  TeamLoadState,
  TeamOpen,
  TeamReset,
  TeamResolveTools,
  TeamRun,
  TeamSaveState,
  TeamSendUserMessage,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { HostClient } from "../host-client.ts";
import { COUNTED_TOOL, eightTeams } from "./eight-teams.ts";
import { lostProblems, storedEvents, storedProblems } from "./told.ts";

const teamIds = Object.keys(eightTeams);
/** One of many events is followed by a request of the user. */
const REQUESTS_AMONG_EVENTS = 40;

/** A storage folder whose hosts are killed one after the other, and what their clients know. */
export class KilledStorage {
  readonly #path: string;
  readonly #random: RandomInt;
  /** How often the client ran each call. */
  readonly #ran = new Map<string, number>();
  /** What clients of killed hosts were told, by team. */
  readonly #told = new Map<string, readonly TeamEvent[]>();

  constructor(path: string, random: RandomInt) {
    this.#path = path;
    this.#random = random;
  }

  /** Opens all teams, lets them run while the user acts, and kills the host after a random number of events. */
  async runAndKill(): Promise<void> {
    await using host = await this.#start();
    const opened = await this.#openAll(host);
    const last = this.#random(500);
    const killed = new Promise<void>((resolve) => {
      let seen = 0;
      const onEvent = (): boolean => {
        seen++;
        if (this.#random(REQUESTS_AMONG_EVENTS) === 0) this.#act(host);
        if (seen > last) resolve();
        return false;
      };
      for (const teamId of teamIds) void host.event(teamId, onEvent);
    });
    // A host whose teams have all ended before is killed at rest.
    await Promise.race([killed, Promise.allSettled(opened.map((snapshot) => goOn(host, snapshot)))]);
    await host.kill();
    this.#keepTold(host);
  }

  /** Lets every team end its work in a host that is shut down, and checks what the next one finds. */
  async finish(): Promise<void> {
    await using host = await this.#start();
    const snapshots = await this.#openAll(host);
    await Promise.all(snapshots.map((snapshot) => goOn(host, snapshot)));
    assert.equal(await host.shutdown(), 0);
    this.#keepTold(host);
    await using next = await this.#start();
    await this.#openAll(next);
  }

  #keepTold(host: HostClient): void {
    for (const teamId of teamIds) this.#told.set(teamId, [...(this.#told.get(teamId) ?? []), ...host.eventsOf(teamId)]);
  }

  #start(): Promise<HostClient> {
    return HostClient.start({
      storagePath: this.#path,
      onToolCall: ({ ref, teamId }) => {
        // A copy of a team may be deleted with its calls.
        if (teamIds.includes(teamId)) this.#ran.set(ref, (this.#ran.get(ref) ?? 0) + 1);
        return { output: "recorded" };
      },
    });
  }

  /** Opens every team, and compares what is stored with what clients were told and did. */
  async #openAll(host: HostClient): Promise<TeamSnapshot[]> {
    const tool = { name: COUNTED_TOOL, description: "Records.", inputSchema: {}, approval: "never" as const };
    await host.send(ToolsRegister, { tools: [tool] });
    const snapshots: TeamSnapshot[] = [];
    const requested = new Set<string>();
    for (const [teamId, definition] of Object.entries(eightTeams)) {
      const snapshot = await host.send(TeamOpen, { teamId, definition });
      snapshots.push(snapshot);
      const stored = await storedEvents(host, teamId);
      const pending = new Set(snapshot.pendingTools.map(({ ref }) => ref));
      const problems = [
        ...(["running", "interrupting"].includes(snapshot.status) ? [`the team is ${snapshot.status}`] : []),
        ...(snapshot.streaming.length === 0 ? [] : ["a message is still open"]),
        ...lostProblems(this.#told.get(teamId) ?? [], stored),
        ...storedProblems(stored, pending),
      ];
      assert.deepEqual(problems, [], `the team ${teamId}`);
      for (const event of stored)
        if (event.type === "tool/requested") for (const { ref } of event.calls) requested.add(ref);
    }
    const wrong = [...this.#ran].filter(([ref, count]) => count !== 1 || !requested.has(ref));
    assert.deepEqual(wrong, [], "calls that ran twice, or whose request is not stored");
    return snapshots;
  }

  /** Something that a user does while teams run; a killed host answers nothing. */
  #act(host: HostClient): void {
    const teamId = this.#oneOf(teamIds);
    const to = this.#oneOf((eightTeams[teamId]?.participants ?? []).map(({ name }) => name));
    const messages = "What have you done so far?";
    const acts: readonly (() => Promise<unknown>)[] = [
      () => host.send(TeamInterrupt, { teamId }).then(() => host.send(TeamRun, { teamId })),
      () => host.send(TeamInterrupt, { teamId, scope: { participant: to }, severity: "stop" }),
      () => host.send(TeamSendUserMessage, { teamId, to, messages }),
      () => host.send(TeamSendUserMessage, { teamId, to, messages, delivery: "queue" }),
      () => host.send(TeamSendUserMessage, { teamId, to, messages, delivery: "steer" }),
    ];
    this.#oneOf([...acts, ...this.#actsAtRest(host, teamId)])().catch(() => {});
  }

  /** What a user does with a team that is interrupted first; it goes on afterwards. */
  #actsAtRest(host: HostClient, teamId: string): readonly (() => Promise<unknown>)[] {
    const atRest = async (act: () => Promise<unknown>): Promise<void> => {
      await host.send(TeamInterrupt, { teamId });
      await act();
      await host.send(TeamRun, { teamId });
    };
    const newTeamId = `copy ${this.#random(4)} of ${teamId}`;
    return [
      () => atRest(() => host.send(TeamReset, { teamId })),
      () => atRest(async () => host.send(TeamLoadState, { teamId, state: await host.send(TeamSaveState, { teamId }) })),
      () =>
        atRest(() => host.send(TeamFork, { teamId, newTeamId })).then(() => host.send(TeamRun, { teamId: newTeamId })),
      () => host.send(TeamDelete, { teamId: newTeamId }),
    ];
  }

  #oneOf<T>(values: readonly T[]): T {
    const value = values[this.#random(values.length)];
    assert.ok(value !== undefined);
    return value;
  }
}

/** Lets a team go on as its user would: pending calls are answered, an interrupted run is taken up, a new one is begun. */
async function goOn(host: HostClient, { teamId, pendingTools, interrupted }: TeamSnapshot): Promise<void> {
  if (pendingTools.length > 0) {
    const respond = pendingTools.map(({ ref }) => ({ ref, output: "It was recorded." }));
    await host.send(TeamResolveTools, { teamId, respond });
  } else await host.send(TeamRun, { teamId, ...(interrupted ? {} : { task: "go" }) });
}
