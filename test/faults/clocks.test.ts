import assert from "node:assert/strict";
import { it } from "node:test";
import { pathToFileURL } from "node:url";
import { type RandomInt, seededRandom } from "../../server/engine/testing/random.ts";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { TeamList, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { HostClient } from "../host-client.ts";
import { AskedRequests } from "./harness/asked-requests.ts";
import { EventCount } from "./harness/event-count.ts";
import { assertToldAll, eightIds, finishTeams, openTeams } from "./harness/open-teams.ts";
import { act, goOn } from "./harness/user-acts.ts";

/** How many hosts have a clock that jumps. */
const HOSTS = Number(process.env["FAULT_CLOCKS"] ?? 2);
/** Printed with the test. The same seed makes the same choices, as far as the events come in the same order. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const LIMIT = { timeout: (HOSTS * 60 + 240) * 1000 };
const REQUESTS_AMONG_EVENTS = 60;

/** What the host may refuse requests with. */
const REFUSALS = ["TeamBusy", "UnknownTeam", "InvalidResume", "InvalidParams"];

const CLOCK = pathToFileURL(`${import.meta.dirname}/harness/jumping-clock.ts`);

/** A team that speaks without an end, and may do so for a second. */
const endless: TeamDefinition = {
  name: "Without an end",
  kind: "roundRobin",
  participants: [{ name: "ann" }],
  models: { default: { provider: "practice", pace: 200, lines: { ann: Array(5_000).fill("a few words") } } },
};
const untilTime: TeamDefinition = { ...endless, name: "For a second", termination: { timeout: { seconds: 1 } } };
/** Has ended long before its hour is over, unless a jump of the clock counts. */
const withTime: TeamDefinition = {
  ...endless,
  name: "With time",
  models: { default: { provider: "practice", pace: 200, lines: { ann: ["a few words", "and a few more"] } } },
  termination: { any: [{ timeout: { seconds: 3600 } }, { budget: { seconds: 3600 } }] },
  maxTurns: 2,
};

it(
  `the clock of ${HOSTS} hosts of eight teams jumps: no time limit, list, interrupt or stored event is wrong (seed ${SEED})`,
  LIMIT,
  async () => {
    const random = seededRandom(SEED);
    using scratch = new Scratch();
    const told = new Map<string, readonly TeamEvent[]>();
    for (let nth = 0; nth < HOSTS; nth++) {
      const preload = `${CLOCK.href}?seed=${random(2 ** 31)}`;
      await using host = await HostClient.start({
        storagePath: scratch.path,
        preload,
        onToolCall: () => ({ output: "recorded" }),
      });
      const opened = await openTeams(host, told);
      await Promise.all([runAll(host, opened, random), assertTimeLimits(host, nth)]);
      await finishTeams(host);
      await assertToldAll(host, opened);
      await assertListedByUse(host, random);
      assert.equal(await host.shutdown(), 0);
      for (const teamId of eightIds) told.set(teamId, [...(told.get(teamId) ?? []), ...host.eventsOf(teamId)]);
    }
  },
);

/** Lets all teams end their work while the user acts. */
async function runAll(
  host: HostClient,
  opened: Awaited<ReturnType<typeof openTeams>>,
  random: RandomInt,
): Promise<void> {
  const asked = new AskedRequests(REFUSALS);
  using _ = new EventCount(host, () => {
    if (random(REQUESTS_AMONG_EVENTS) === 0) asked.add("an act", act(host, random));
  });
  for (const snapshot of opened) asked.add(`run ${snapshot.teamId}`, goOn(host, snapshot));
  await asked.answered();
}

async function assertTimeLimits(host: HostClient, nth: number): Promise<void> {
  const run = async (teamId: string, definition: TeamDefinition) => {
    await host.send(TeamOpen, { teamId: `${teamId} ${nth}`, definition });
    return host.send(TeamRun, { teamId: `${teamId} ${nth}`, task: "go" });
  };
  const [until, within] = await Promise.all([run("until", untilTime), run("within", withTime)]);
  assert.match(until.stopReason ?? "", /^Timeout of 1 seconds reached/);
  assert.match(within.stopReason ?? "", /Maximum number of turns/);
}

/** The team that was used last is the first of the list. */
async function assertListedByUse(host: HostClient, random: RandomInt): Promise<void> {
  const left = [...eightIds];
  const used: string[] = [];
  while (left.length > 0) {
    const [teamId = ""] = left.splice(random(left.length), 1);
    await host.send(TeamRun, { teamId, task: "once more" });
    used.unshift(teamId);
  }
  const { teams } = await host.send(TeamList, {});
  assert.deepEqual(
    teams.map(({ teamId }) => teamId).filter((teamId) => eightIds.includes(teamId)),
    used,
  );
}
