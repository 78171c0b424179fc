import assert from "node:assert/strict";
import { it } from "node:test";
import { seededRandom } from "../../server/engine/testing/random.ts";
import type { ParticipantDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import { TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { FakeEndpoint } from "../contract/harness/endpoint.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { openai } from "../contract/harness/teams.ts";
import { HostClient } from "../host-client.ts";
import { FaultyProxy } from "./harness/faulty-proxy.ts";
import { lostProblems, storedEvents } from "./harness/told.ts";

/** How often all teams run. */
const ROUNDS = Number(process.env["FAULT_ROUNDS"] ?? 1);
/** Printed with the test; the same seed draws the same faults, as far as the requests come in the same order. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const PERCENT = 20;

/** What a user can read: one line that ends as a sentence does. */
const ONE_SENTENCE = /^\S[^\n]{10,400}[.!?]$/;

const NAMES = ["ann", "bob", "cid", "dan"] as const;
const textBy = (name: string): string => Array.from({ length: 20 }, (_, at) => `${name} says word ${at}.`).join(" ");

const people = (...names: readonly string[]): ParticipantDefinition[] =>
  names.map((name) => ({ name, instructions: `I am ${name}.` }));

/** Eight teams of the same four participants, which an endpoint knows by their instructions. */
function teams(baseUrl: string): Readonly<Record<string, TeamDefinition>> {
  const models = { default: { ...openai(baseUrl), maxRetries: 1 } };
  const talk: TeamDefinition = {
    name: "Talk",
    kind: "roundRobin",
    participants: people(...NAMES),
    models,
    maxTurns: 8,
  };
  const edges = [
    { from: "ann", to: "bob" },
    { from: "ann", to: "cid" },
    { from: "bob", to: "dan" },
    { from: "cid", to: "dan" },
  ];
  const graph: TeamDefinition = {
    name: "Graph",
    kind: "graph",
    participants: people(...NAMES),
    models,
    graph: { edges },
  };
  const nested: TeamDefinition = {
    name: "Nested",
    kind: "roundRobin",
    participants: [
      ...people("ann"),
      { name: "lab", kind: "team", team: { ...talk, participants: people("bob", "cid"), maxTurns: 2 } },
    ],
    models,
    maxTurns: 4,
  };
  const kinds = [talk, graph, nested];
  return Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`t${at}`, kinds[at % kinds.length] ?? talk]));
}

it(`with faults in ${PERCENT} % of their requests, eight teams say every message whole, or fail plainly and go on (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  await using endpoint = await FakeEndpoint.start();
  for (const name of NAMES) endpoint.says(name, textBy(name), { chunkSize: 16 });
  await using proxy = await FaultyProxy.start(endpoint.mock.url, random);
  using scratch = new Scratch();
  const options = { storagePath: scratch.path, environmentKey: "k" };
  await using host = await HostClient.start(options);
  const definitions = Object.entries(teams(`${proxy.url}/v1`));
  for (const [teamId, definition] of definitions) await host.send(TeamOpen, { teamId, definition });

  for (let round = 0; round < ROUNDS; round++) {
    proxy.rate = PERCENT;
    const results = await Promise.all(
      definitions.map(async ([teamId]) => ({ teamId, result: await host.send(TeamRun, { teamId, task: "go" }) })),
    );
    proxy.rate = 0;
    for (const { teamId, result } of results) {
      if (result.status.code !== "error") continue;
      assert.equal((await host.send(TeamRun, { teamId })).status.code, "success", teamId);
    }
  }
  assert.ok(proxy.faults > 0);

  assert.equal(await host.shutdown(), 0);
  await using next = await HostClient.start(options);
  for (const [teamId] of definitions) {
    const { interrupted, streaming } = await next.send(TeamOpen, { teamId });
    assert.deepEqual([interrupted, streaming], [false, []], teamId);
    const told = host.eventsOf(teamId);
    for (const event of told) if (event.type === "error") assert.match(event.message, ONE_SENTENCE);
    assert.deepEqual(lostProblems(told, await storedEvents(next, teamId)), [], teamId);
    assert.deepEqual(wrongTexts(told), [], teamId);
  }
});

/** The messages that are not what the endpoint said: a whole text, or the start of one for a partial. */
function wrongTexts(events: readonly TeamEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== "message/added") return [];
    const { source, partial } = event.message;
    const text = textOf(event.message);
    if (source === "user") return [];
    // A nested team's answer is what its last speaker says.
    const whole = (source === "lab" ? ["bob", "cid"] : [source]).map(textBy);
    const isRight = whole.some((said) => text === said || (partial && said.startsWith(text)));
    return isRight ? [] : [`${source}: ${text}`];
  });
}
