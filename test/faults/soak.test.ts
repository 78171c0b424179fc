import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { type RandomInt, seededRandom } from "../../server/engine/testing/random.ts";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import {
  TeamDelete,
  TeamFork,
  TeamInterrupt,
  TeamList,
  TeamLoadState,
  TeamOpen,
  TeamReset,
  TeamRun,
  TeamSaveState,
  TeamSendUserMessage,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { HostClient } from "../host-client.ts";

/** How many teams live and are deleted in one host, and for how many minutes at least. */
const TEAMS = Number(process.env["SOAK_TEAMS"] ?? 48);
const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 0);
/** Printed with the test; the same seed does the same to the same teams. */
const SEED = Number(process.env["SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/**
 * What the host's heap may hold. A host at rest needs some 20 MB, and each team makes more than 1 MB of text, so that a host
 * that keeps deleted teams is out of memory long before the end.
 */
const HEAP_MB = 64;
const AT_ONCE = 4;
/** A loaded machine takes long to collect garbage in so little memory. */
const LIMIT = { timeout: (MINUTES * 60 + 300) * 1000 };

/** The write-ahead log is copied into the database when it has 16 MB; what is written meanwhile makes it longer. */
const LOG_MB = 32;
const MB = 1024 * 1024;
/** How often memory and files are looked at, in milliseconds. */
const LOOK_EVERY = 60_000;

const LONG = "long-text-".repeat(5_000);

const definition: TeamDefinition = {
  name: "Short life",
  kind: "graph",
  participants: [
    { name: "ann", tools: ["fetch"] },
    { name: "bob" },
    { name: "lab", kind: "team", team: talk("eve", "dan") },
  ],
  graph: {
    edges: [
      { from: "ann", to: "bob" },
      { from: "ann", to: "lab" },
    ],
  },
  models: practice({ ann: [{ say: "I fetch it.", calls: [{ tool: "fetch" }] }, LONG], bob: [LONG] }),
};

function talk(...names: readonly string[]): TeamDefinition {
  return {
    name: "Talk",
    kind: "roundRobin",
    participants: names.map((name) => ({ name })),
    models: practice(Object.fromEntries(names.map((name) => [name, [LONG]]))),
    maxTurns: 2,
  };
}

function practice(lines: Readonly<Record<string, readonly (string | object)[]>>): TeamDefinition["models"] {
  const script = Object.fromEntries(Object.entries(lines).map(([name, said]) => [name, Array(3).fill(said).flat()]));
  return { default: { provider: "practice", pace: 0, lines: script, asked: script } };
}

it(
  `a host of ${HEAP_MB} MB outlives ${TEAMS} teams that are used in every way and deleted (seed ${SEED})`,
  LIMIT,
  async (t) => {
    const random = seededRandom(SEED);
    using scratch = new Scratch();
    await using host = await HostClient.start({
      storagePath: scratch.path,
      heapMegabytes: HEAP_MB,
      onToolCall: () => ({ output: LONG }),
    });
    host.onEvent(() => {});
    await host.send(ToolsRegister, { tools: [{ name: "fetch", description: "", inputSchema: {}, approval: "never" }] });
    const end = performance.now() + MINUTES * 60_000;
    let begun = 0;
    let nextLook = performance.now();
    const look = (): void => {
      const log = megabytes(join(scratch.path, "gavel.db-wal"));
      assert.ok(log < LOG_MB, `The write-ahead log has ${log} MB.`);
      if (performance.now() < nextLook) return;
      nextLook += LOOK_EVERY;
      const database = megabytes(join(scratch.path, "gavel.db"));
      t.diagnostic(`${begun} teams: the host has ${memoryOf(host)}, the database ${database} MB, its log ${log} MB`);
    };
    const live = async (): Promise<void> => {
      while (begun < TEAMS || performance.now() < end) {
        await oneLife(host, `t${begun++}`, random);
        look();
      }
    };
    const gone = once(host.process, "exit").then(() => assert.fail("The host ended: it was out of memory."));
    await Promise.race([gone, Promise.all(Array.from({ length: AT_ONCE }, live))]);
    gone.catch(() => {});
    assert.deepEqual((await host.send(TeamList, {})).teams, []);
    assert.equal(await host.shutdown(), 0);
  },
);

const megabytes = (path: string): number => Math.round((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / MB);

/** The memory of a host's process, where the system tells it. */
function memoryOf({ process }: HostClient): string {
  const status = `/proc/${process.pid}/status`;
  const [, kilobytes] = existsSync(status) ? (/^VmRSS:\s+(\d+)/m.exec(readFileSync(status, "utf8")) ?? []) : [];
  return kilobytes === undefined ? "an unknown size" : `${Math.round(Number(kilobytes) / 1024)} MB`;
}

/** A team from its opening to its end, with some of what a user may do in between; requests may be left unanswered. */
async function oneLife(host: HostClient, teamId: string, random: RandomInt): Promise<void> {
  await host.send(TeamOpen, { teamId, definition });
  const run = (): Promise<unknown> => host.send(TeamRun, { teamId, task: LONG });
  const ask = (delivery: "now" | "queue" | "steer"): Promise<unknown> =>
    host.send(TeamSendUserMessage, { teamId, to: "bob", messages: LONG, delivery });
  const acts: readonly (() => Promise<unknown>)[] = [
    run,
    () => ask("now"),
    () => host.send(TeamInterrupt, { teamId }),
    () => host.send(TeamReset, { teamId }),
    async () => {
      await host.send(TeamFork, { teamId, newTeamId: `${teamId}-fork` });
      await host.send(TeamDelete, { teamId: `${teamId}-fork` });
    },
    async () => host.send(TeamLoadState, { teamId, state: await host.send(TeamSaveState, { teamId }) }),
  ];
  const unanswered = (request: Promise<unknown>): void => void request.catch(() => {});
  unanswered(run());
  for (let left = random(5); left > 0; left--) {
    const act = acts[random(acts.length)];
    if (random(3) === 0) unanswered(ask(random(2) === 0 ? "queue" : "steer"));
    // What the team's state does not allow is refused.
    await act?.().catch(() => {});
  }
  unanswered(run());
  unanswered(ask("queue"));
  await host.send(TeamInterrupt, { teamId });
  await host.send(TeamDelete, { teamId });
}
