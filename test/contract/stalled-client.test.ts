import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { delta, finished, rawEndpoint, sendStream, startStream } from "../../server/models/testing/raw-endpoint.ts";
import { isDurable } from "../../shared/contract/event.ts";
import { TeamInspect, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import { snapshotOf, stateFromSnapshot } from "../../shared/state/team-state.ts";
import { HostClient } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { openai } from "./harness/teams.ts";

/** What a turn thinks before it says a word, in characters: it is sent to the client, and is not part of the state. */
const THOUGHT = "I think. ".repeat(25_000);
const TURNS = 120;
const TEAMS = ["a", "b"];
/** The host's heap: less than what it has to tell. */
const MEGABYTES = 64;
const LIMIT = { timeout: 240_000 };

interface Talk extends AsyncDisposable {
  readonly host: HostClient;
  /** Resolves when each team is in the middle of its last turn. */
  readonly atLastTurn: Promise<unknown>;
}

/** A host with teams that have thought and said a lot, and whose last turn has begun and does not end. */
async function startTalk(): Promise<Talk> {
  const scratch = new Scratch();
  const reached = TEAMS.map(() => Promise.withResolvers<void>());
  const asked = TEAMS.map(() => 0);
  const endpoint = await rawEndpoint((response) => {
    const at = TEAMS.findIndex((teamId) => endpoint.requests.at(-1)?.body.includes(`I am ${teamId}.`));
    asked[at] = (asked[at] ?? 0) + 1;
    if (asked[at] < TURNS)
      return sendStream(response, delta({ reasoning_content: THOUGHT }), delta({ content: "So." }), finished);
    startStream(response, delta({ content: "Finally, " }), delta({ content: "the last " }));
    return reached[at]?.resolve();
  });
  const host = await HostClient.start({ storagePath: scratch.path, unchecked: true, heapMegabytes: MEGABYTES });
  for (const teamId of TEAMS) {
    const definition = {
      name: teamId,
      kind: "roundRobin" as const,
      participants: [{ name: "ann", instructions: `I am ${teamId}.`, context: { kind: "buffered" as const, size: 1 } }],
      models: { default: openai(endpoint.url) },
    };
    await host.send(TeamOpen, { teamId, definition });
  }
  return {
    host,
    atLastTurn: Promise.all(reached.map(({ promise }) => promise)),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
      scratch[Symbol.dispose]();
    },
  };
}

test(
  "a host with little memory outlives a client that does not read, which then has the same state",
  LIMIT,
  async () => {
    await using talk = await startTalk();
    const { host, atLastTurn } = talk;
    const before = new Map<string, TeamSnapshot>();
    for (const teamId of TEAMS) before.set(teamId, await inspected(host, teamId));
    host.process.stdout?.pause();
    for (const teamId of TEAMS) host.send(TeamRun, { teamId, task: "go" }).catch(() => {});
    const died = once(host.process, "exit").then(([code, signal]) =>
      Promise.reject(new Error(`It died: ${code ?? signal}`)),
    );
    await Promise.race([atLastTurn, died]);
    const late = host.send(TeamInspect, { teamId: "a" });
    host.process.stdout?.resume();

    await Promise.race([late, died]);
    const seqs = host
      .eventsOf("a")
      .filter(isDurable)
      .map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.map((_, at) => at + 1),
      "the answer comes after the events before it, without a gap",
    );
    for (const teamId of TEAMS) {
      const snapshot = await inspected(host, teamId);
      const start = before.get(teamId);
      assert.ok(start !== undefined);
      const state = host.eventsOf(teamId).reduce(reduceTeam, stateFromSnapshot(start));
      assert.deepEqual(snapshotOf(state), snapshot);
      assert.equal(state.streaming[0]?.text, "Finally, the last ");
    }
  },
);

const inspected = (host: HostClient, teamId: string) => host.send(TeamInspect, { teamId });
