import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RandomInt } from "../../../server/engine/testing/random.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import {
  TeamInspect,
  TeamInterrupt,
  TeamResolveTools,
  TeamRun,
  TeamSendUserMessage,
} from "../../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { until } from "../../editor/harness/until.ts";
import { AskedRequests } from "../../faults/harness/asked-requests.ts";
import { runProblems, storedEvents, storedProblems } from "../../faults/harness/told.ts";
import { oneOf } from "../../faults/harness/user-acts.ts";
import type { HostClient } from "../../host-client.ts";
import { otherTeams, REMOTE, RUN_LINES, teamOf } from "./draw-teams.ts";
import { type DrawServers, FAULTS, type Fault, FaultScene } from "./fault-scene.ts";
import type { HostSeat } from "./host-seat.ts";
import { knownProblems, overlapProblems, toldProblems } from "./told-problems.ts";

/** What a host may refuse requests with. */
const REFUSALS = ["TeamBusy", "InvalidResume", "StorageError", "RequestCancelled"];
/** How long a fault lasts, in milliseconds: less, and more, than a lease and a silence on the link. */
const SHORT = [50, 600] as const;
/** How many lines of a host's log a failure shows. */
const LOG_LINES = 20;
const LONG = [2_500, 4_000] as const;

export interface DrawResult {
  readonly faults: readonly Fault[];
  /** How many runs were cut short. */
  readonly cut: number;
}

/**
 * Hosts of one store run two teams, one of them with a participant on a worker, while their users act and hosts,
 * worker, servers and networks fail as drawn. Afterwards each client was told what is stored, in order and once; no run
 * overlaps another or goes on after its end, no tool has run twice, and the teams go on in each host.
 * @throws AssertionError that says what did not hold.
 */
export async function drawHostFaults(servers: DrawServers, random: RandomInt): Promise<DrawResult> {
  const teamIds = [REMOTE, oneOf(Object.keys(otherTeams), random)];
  const calls = new Map<string, number>();
  await using scene = await FaultScene.begin(
    servers,
    teamIds,
    (ref) => calls.set(ref, (calls.get(ref) ?? 0) + 1),
    random,
  );
  const users = new Users(scene, teamIds, random);
  const faults: Fault[] = [];
  const acting = users.act();
  try {
    for (let nth = random(3); nth >= 0; nth--) {
      await pause(random(800));
      const fault = oneOf(FAULTS, random);
      faults.push(fault);
      const [least, most] = random(10) < 6 ? LONG : SHORT;
      await scene.fail(fault, least + random(most - least), random);
    }
  } finally {
    users.stop();
    await acting;
  }
  try {
    const cut = await checkAll(scene, teamIds, users, calls);
    return { faults, cut };
  } catch (error) {
    const why = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : "";
    throw new Error(`${messageOf(error)}${why} It was: ${faults.join(", ")}.`, { cause: error });
  }
}

/** @returns how many runs were cut short. */
async function checkAll(
  scene: FaultScene,
  teamIds: readonly string[],
  users: Users,
  calls: ReadonlyMap<string, number>,
): Promise<number> {
  await users.answered();
  let cut = 0;
  for (const teamId of teamIds) cut += await check(scene, teamId);
  assert.deepEqual(
    [...calls].filter(([, count]) => count > 1),
    [],
    "calls that ran twice",
  );
  const lines = scene.workers.flatMap(({ folder }) => linesIn(join(folder, RUN_LINES)));
  assert.ok(lines.length <= users.allowed.size, `${users.allowed.size} calls were allowed, and ${lines.length} ran`);
  for (const { client } of scene.seats) for (const teamId of teamIds) await goesOn(client, teamId);
  return cut;
}

/** The users of the hosts, who run the teams, interrupt them and send messages. */
class Users {
  /** The calls of the worker's tool that a user has allowed. */
  readonly allowed = new Set<string>();
  readonly #scene: FaultScene;
  readonly #teamIds: readonly string[];
  readonly #random: RandomInt;
  readonly #asked = new AskedRequests(REFUSALS);
  readonly #ends = new Map<HostClient, Promise<unknown>>();
  #isOver = false;

  constructor(scene: FaultScene, teamIds: readonly string[], random: RandomInt) {
    this.#scene = scene;
    this.#teamIds = teamIds;
    this.#random = random;
  }

  /** Resolves after {@link stop}. */
  async act(): Promise<void> {
    while (!this.#isOver) {
      const { client } = oneOf(this.#scene.seats, this.#random);
      const teamId = oneOf(this.#teamIds, this.#random);
      if (client !== undefined) this.#ask(client, teamId, this.#random(6));
      await pause(this.#random(250));
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Every request has been answered, or its host was killed. */
  answered(): Promise<void> {
    return this.#asked.answered();
  }

  #ask(client: HostClient, teamId: string, what: number): void {
    const to = oneOf(teamOf(teamId).participants, this.#random).name;
    const delivery = oneOf(["queue", "steer"] as const, this.#random);
    const send = (): Promise<unknown> => {
      switch (what) {
        case 0:
          return client.send(TeamInterrupt, { teamId });
        case 1:
          return client.send(TeamSendUserMessage, { teamId, to, messages: "What have you done so far?" });
        case 2:
          return client.send(TeamSendUserMessage, { teamId, to, messages: "And then?", delivery });
        default:
          return client.send(TeamInspect, { teamId }).then((team) => this.#goOn(client, team));
      }
    };
    const { process: host } = client;
    this.#asked.add(
      `${["interrupt", "message", delivery][what] ?? "go on"} in ${teamId}`,
      Promise.race([send(), this.#gone(client)]).catch((error: unknown) => {
        if (host.exitCode === null && host.signalCode === null) throw error;
      }),
    );
  }

  /** Resolves when the host has ended. */
  #gone(client: HostClient): Promise<unknown> {
    const known = this.#ends.get(client) ?? once(client.process, "exit");
    this.#ends.set(client, known);
    return known;
  }

  async #goOn(client: HostClient, { teamId, pendingTools, interrupted }: TeamSnapshot): Promise<void> {
    const [call] = pendingTools;
    if (call === undefined) {
      await client.send(TeamRun, { teamId, ...(interrupted ? {} : { task: "go" }) });
      return;
    }
    // What may have run already is not run again.
    if (call.approval !== true) {
      await client.send(TeamResolveTools, { teamId, respond: [{ ref: call.ref, output: "It has run." }] });
      return;
    }
    this.allowed.add(call.ref);
    await client.send(TeamResolveTools, { teamId, restart: [{ ref: call.ref }] });
  }
}

/** @returns how many runs of the team were cut short. */
async function check({ seats }: FaultScene, teamId: string): Promise<number> {
  const { stored, shown } = await until(`the hosts agree on the team ${teamId}`, () => agreed(seats, teamId));
  const pending = new Set(shown[0]?.pendingTools.map(({ ref }) => ref));
  const problems = [...storedProblems(stored, pending), ...runProblems(stored), ...overlapProblems(stored)];
  for (const [number, seat] of seats.entries()) {
    const told = seat.toldOf(teamId);
    for (const [nth, one] of told.entries())
      problems.push(...toldProblems(one, stored).map((problem) => `client ${nth} of host ${number}: ${problem}`));
    const [last] = told.slice(-1);
    const [own] = shown.slice(number);
    assert.ok(last !== undefined && own !== undefined);
    problems.push(...knownProblems(last, own).map((problem) => `the client of host ${number}: ${problem}`));
  }
  assert.deepEqual(problems, [], `the team ${teamId}`);
  return stored.filter((event) => event.type === "run/ended" && event.status.code !== "success").length;
}

/** What is stored of a team and what each host shows of it, once it is at rest for all of them, and all clients know it. */
async function agreed(seats: readonly HostSeat[], teamId: string) {
  const shown: TeamSnapshot[] = [];
  for (const { client } of seats) {
    assert.ok(client !== undefined, "each host is there");
    shown.push(await client.send(TeamInspect, { teamId }));
  }
  const [first] = seats;
  assert.ok(first?.client !== undefined);
  const stored = await storedEvents(first.client, teamId);
  const last = stored.at(-1)?.seq ?? 0;
  // A host whose store does not answer shows what it could not store, and tells it once it has.
  const told = seats.map((seat) => seat.lastTold(teamId));
  const isAgreed = shown.every((team, number) => isAtRest(team) && team.lastSeq === last && told[number] === last);
  if (isAgreed) return { stored, shown };
  const each = shown.map(
    ({ status, lastSeq }, number) =>
      `host ${number} shows event ${lastSeq} and "${status}", and has told ${told[number]} (its log: ${lastLines(seats[number])})`,
  );
  throw new Error(`Event ${last} is stored, ${each.join(", ")}.`);
}

/** What the host has logged last. */
const lastLines = (seat: HostSeat | undefined): string =>
  seat?.client?.logs
    .slice(-LOG_LINES)
    .map(({ message }) => message)
    .join(" / ") ?? "";

const isAtRest = ({ status }: TeamSnapshot): boolean => status !== "running" && status !== "interrupting";

/** The team once no host runs it, as this one shows it. */
const atRest = (client: HostClient, teamId: string): Promise<TeamSnapshot> =>
  until(`the team ${teamId} is at rest`, async () => {
    const team = await client.send(TeamInspect, { teamId });
    return isAtRest(team) ? team : undefined;
  });

/** What waits for the user is answered, and the team runs to the end of a run, once servers and worker are reached again. */
async function goesOn(client: HostClient | undefined, teamId: string): Promise<void> {
  assert.ok(client !== undefined);
  await until(`the team ${teamId} goes on`, async () => {
    const { pendingTools, interrupted } = await atRest(client, teamId);
    const respond = pendingTools.map(({ ref }) => ({ ref, output: "It has run." }));
    const result =
      respond.length > 0
        ? (await client.send(TeamResolveTools, { teamId, respond })).result
        : await client.send(TeamRun, { teamId, ...(interrupted ? {} : { task: "go" }) });
    return result?.status.code === "success" && result.stopReason !== "TOOL_INTERRUPT" ? true : undefined;
  });
}

const linesIn = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .filter((line) => line !== "")
    : [];
