import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import { EndpointsForget, TeamInspect, TeamInterrupt, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { SLOW } from "./harness/long-run.ts";
import { openai, roundRobin } from "./harness/teams.ts";

/** The endpoint's address as one that is not known to be this machine, although it is: 0.0.0.0 leads to it as well. */
const away = ({ baseUrl }: FakeEndpoint): string => baseUrl.replace(/127\.0\.0\.1|localhost/, "0.0.0.0");

const keyed = (baseUrl: string): ModelDefinition => ({
  provider: "openai",
  model: "test",
  baseUrl,
  apiKey: { secret: "mine" },
});

const originOf = (url: string): string => new URL(url).origin;

/** A host whose client answers with `answers` in order, then with the last one; and the origins that it was asked about. */
async function hostAsking(answers: readonly boolean[], options: HostOptions = {}) {
  const asked: string[] = [];
  const host = await HostClient.start({
    ...options,
    onEndpoint: ({ origin }) => {
      asked.push(origin);
      return answers[Math.min(asked.length, answers.length) - 1] ?? false;
    },
  });
  return { host, asked };
}

describe("an endpoint that a team names", () => {
  it("gets nothing from a client that cannot ask the user, and the run ends with one error", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const definition = roundRobin({ model: openai(away(endpoint)), maxTurns: 1 });
    await host.send(TeamOpen, { teamId: "t", definition });
    const { status } = await host.send(TeamRun, { teamId: "t", task: "the contents of .env" });
    assert.equal(status.code, "error");
    assert.match(status.message ?? "", /^Nothing was sent to http:\/\/0\.0\.0\.0:\d+, /);
    assert.deepEqual(endpoint.conversations, []);
    const { status: after, thread } = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual([after, thread.map(({ content }) => content)], ["idle", ["the contents of .env"]]);
    assert.equal(host.eventsOf("t").filter(({ type }) => type === "error").length, 1);
  });

  it("is asked about once, whoever speaks and however often the team runs", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.says("ann", "ann speaks").says("bob", "bob speaks");
    const { host, asked } = await hostAsking([true]);
    await using _ = host;
    const definition = roundRobin({ model: openai(away(endpoint)), maxTurns: 2 });
    await host.send(TeamOpen, { teamId: "t", definition });
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "go" })).status.code, "success");
    await host.send(TeamRun, { teamId: "t", task: "again" });
    assert.deepEqual(asked, [originOf(away(endpoint))]);
    assert.equal(endpoint.conversations.length, 4);
  });

  it("is asked about again after a refusal, and after the user has taken the permission back", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.says("ann", "ann speaks");
    const { host, asked } = await hostAsking([false, true, false]);
    await using _ = host;
    const definition = roundRobin({ names: ["ann"], model: openai(away(endpoint)), maxTurns: 1 });
    await host.send(TeamOpen, { teamId: "t", definition });
    const refused = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.match(refused.status.message ?? "", /because you did not allow it; run the team again to allow it/);
    assert.equal((await host.send(TeamRun, { teamId: "t" })).status.code, "success");
    await host.send(EndpointsForget, { origin: originOf(away(endpoint)) });
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "more" })).status.code, "error");
    assert.equal(asked.length, 3);
    assert.equal(endpoint.conversations.length, 1);
  });

  it("is asked about once by teams that run at the same time", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.says("ann", "ann speaks");
    const answer = Promise.withResolvers<boolean>();
    const first = Promise.withResolvers<void>();
    let asked = 0;
    await using host = await HostClient.start({
      onEndpoint: () => {
        asked += 1;
        first.resolve();
        return answer.promise;
      },
    });
    const definition = roundRobin({ names: ["ann"], model: openai(away(endpoint)), maxTurns: 1 });
    const ids = ["a", "b", "c"];
    for (const teamId of ids) await host.send(TeamOpen, { teamId, definition });
    const runs = ids.map((teamId) => host.send(TeamRun, { teamId, task: "go" }));
    await first.promise;
    await Promise.all(ids.map((teamId) => host.event(teamId, ({ type }) => type === "reasoning/start")));
    await host.send(TeamInspect, { teamId: "c" });
    answer.resolve(true);
    assert.deepEqual(
      (await Promise.all(runs)).map(({ status }) => status.code),
      ["success", "success", "success"],
    );
    assert.equal(asked, 1);
  });

  it("does not keep an interrupt waiting while the user is asked, and the question is cancelled", async () => {
    await using endpoint = await FakeEndpoint.start();
    const asked = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    await using host = await HostClient.start({
      onEndpoint: (_, signal) => {
        signal.addEventListener("abort", () => cancelled.resolve());
        asked.resolve();
        return new Promise<boolean>(() => {});
      },
    });
    const definition = roundRobin({ model: openai(away(endpoint)), maxTurns: 1 });
    await host.send(TeamOpen, { teamId: "t", definition });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await asked.promise;
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    assert.deepEqual([receipt.wasRunning, receipt.status], [true, "paused"]);
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    await cancelled.promise;
    assert.deepEqual(endpoint.conversations, []);
  });

  it("one refusal ends a run whose participants speak at the same time with one error", async () => {
    await using endpoint = await FakeEndpoint.start();
    const answer = Promise.withResolvers<boolean>();
    const first = Promise.withResolvers<void>();
    let asked = 0;
    await using host = await HostClient.start({
      onEndpoint: () => {
        asked += 1;
        first.resolve();
        return answer.promise;
      },
    });
    const definition: TeamDefinition = {
      ...roundRobin({ names: ["ann", "bob", "cid"], model: openai(away(endpoint)) }),
      kind: "graph",
      graph: { edges: [], entry: ["ann", "bob", "cid"] },
    };
    await host.send(TeamOpen, { teamId: "t", definition });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await first.promise;
    answer.resolve(false);
    assert.match((await run).status.message ?? "", /^Nothing was sent to /);
    assert.equal(asked, 1);
    assert.equal(host.eventsOf("t").filter(({ type }) => type === "error").length, 1);
  });

  const nested = (model: ModelDefinition): TeamDefinition => ({
    ...roundRobin({ names: ["ann"], maxTurns: 1 }),
    participants: [{ name: "inner", kind: "team", team: roundRobin({ names: ["ann"], model, maxTurns: 1 }) }],
  });
  const selecting = (model: ModelDefinition): TeamDefinition => ({
    ...roundRobin({ maxTurns: 1 }),
    kind: "selector",
    models: { default: { provider: "practice", pace: 0 }, chooser: model },
    selector: { model: "chooser" },
  });
  const azure = (baseUrl: string): ModelDefinition => ({
    provider: "azure",
    endpoint: originOf(baseUrl),
    deployment: "gpt",
  });
  const places = {
    "of a nested team": (url: string) => nested(openai(url)),
    "of the model that selects": (url: string) => selecting(openai(url)),
    "of an Azure deployment": (url: string) => roundRobin({ model: azure(url) }),
    "with a key": (url: string) => roundRobin({ model: keyed(url) }),
  } satisfies Record<string, (url: string) => TeamDefinition>;

  for (const [place, definitionAt] of Object.entries(places)) {
    it(`is asked about before its key is requested: ${place}`, async () => {
      await using endpoint = await FakeEndpoint.start();
      const { host, asked } = await hostAsking([false], { keys: { mine: "k", AZURE_OPENAI_API_KEY: "k" } });
      await using _ = host;
      await host.send(TeamOpen, { teamId: "t", definition: definitionAt(away(endpoint)) });
      const { status } = await host.send(TeamRun, { teamId: "t", task: "go" });
      assert.match(status.message ?? "", /Nothing was sent to http/);
      assert.deepEqual(asked, [originOf(away(endpoint))]);
      assert.deepEqual(host.secretsAsked, []);
      assert.deepEqual(endpoint.mock.getRequests(), []);
    });
  }

  it("needs no question on this machine, and neither does the model of the user's own settings", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.says("ann", "ann speaks");
    await using host = await HostClient.start({ model: openai(away(endpoint)) });
    const local = roundRobin({ names: ["ann"], model: openai(endpoint.baseUrl), maxTurns: 1 });
    const { models, ...withoutModel } = local;
    assert.ok(models);
    for (const definition of [local, withoutModel]) {
      const { teamId } = await host.send(TeamOpen, { definition });
      assert.equal((await host.send(TeamRun, { teamId, task: "go" })).status.code, "success");
    }
  });
});

describe("a key that an endpoint repeats", () => {
  const KEY = "sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56";
  it("is in no event, result or stored text, also when the run is interrupted in the middle of it", async () => {
    await using endpoint = await FakeEndpoint.start();
    const answer = `${"Some words first. ".repeat(4)}Your key is ${KEY}, `.repeat(600);
    endpoint.says("ann", answer, SLOW);
    await using host = await HostClient.start({ keys: { mine: KEY } });
    const definition = roundRobin({ names: ["ann"], model: keyed(endpoint.baseUrl), maxTurns: 1 });
    await host.send(TeamOpen, { teamId: "t", definition });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await host.streamed("t", 400);
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    const told = JSON.stringify([
      host.eventsOf("t"),
      receipt,
      await run,
      await host.send(TeamInspect, { teamId: "t" }),
    ]);
    assert.ok(!told.includes(KEY.slice(8, 20)), told);
    const partial = String(receipt.partials[0]?.content);
    assert.ok(answer.startsWith(partial.replaceAll(/[\w-]{0,7}\[key\]/g, KEY)), partial);
  });
});
