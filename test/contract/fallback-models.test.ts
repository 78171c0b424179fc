import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  delta,
  finished,
  rawEndpoint,
  sendJson,
  sendStream,
  startStream,
} from "../../server/models/testing/raw-endpoint.ts";
import type { ModelDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import {
  TeamFork,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamRun,
  TeamSaveState,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";

const usage = { choices: [], usage: { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 } };

const at = (baseUrl: string, model: string, prompt: number, fallback?: string[]): ModelDefinition => ({
  provider: "openai",
  model,
  baseUrl,
  maxRetries: 0,
  price: { prompt, completion: 0 },
  ...(fallback === undefined ? {} : { fallback }),
});

const teamOf = (models: Record<string, ModelDefinition>): TeamDefinition => ({
  name: "Talk",
  kind: "roundRobin",
  participants: [{ name: "ann", model: "first" }],
  models,
  maxTurns: 1,
});

describe("fallback models", () => {
  it("another model answers, which the events tell with the cause; its own price counts", async () => {
    await using busy = await rawEndpoint((response) => sendJson(response, 503, {}));
    await using other = await rawEndpoint((response) =>
      sendStream(response, delta({ content: "here" }), finished, usage),
    );
    await using host = await HostClient.start();
    const models = { first: at(busy.url, "big", 1, ["second"]), second: at(other.url, "small", 0.25) };
    await host.send(TeamOpen, { teamId: "t", definition: teamOf(models) });
    const { status, messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual([status.code, messages.at(-1)?.content], ["success", "here"]);
    const { from, to, reason } = (await host.event("t", ({ type }) => type === "model/fallback")) as unknown as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      [from, to, reason],
      [
        { provider: "openai", name: "big", origin: `http://${busy.host}` },
        { provider: "openai", name: "small", origin: `http://${other.host}` },
        `${busy.host} answered 503`,
      ],
    );
    assert.deepEqual(messages.at(-1)?.model, to);
    await host.send(TeamFork, { teamId: "t", newTeamId: "copy" });
    const { transcript } = await host.send(TeamSaveState, { teamId: "copy" });
    assert.deepEqual(
      transcript.map((entry) => (entry.kind === "message" ? entry.message.model : entry)),
      [undefined, to],
    );
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).usage.cost, 0.25);
  });

  it("a text that breaks off is one message with the rest that another model gives", async () => {
    await using first = await rawEndpoint((response) => {
      startStream(response, delta({ content: "Once upon " }));
      setImmediate(() => response.destroy());
    });
    await using second = await rawEndpoint((response) => sendStream(response, delta({ content: "a time." }), finished));
    await using host = await HostClient.start();
    const models = { first: at(first.url, "big", 1, ["second"]), second: at(second.url, "small", 1) };
    await host.send(TeamOpen, { teamId: "t", definition: teamOf(models) });
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual(
      messages.map(({ content, partial }) => [content, partial]),
      [
        ["go", undefined],
        ["Once upon a time.", undefined],
      ],
    );
  });

  it("an interrupt after the switch keeps what both models have said", async () => {
    await using first = await rawEndpoint((response) => {
      startStream(response, delta({ content: "Once upon " }));
      setImmediate(() => response.destroy());
    });
    await using second = await rawEndpoint((response) => startStream(response, delta({ content: "a ti" })));
    await using host = await HostClient.start();
    const models = { first: at(first.url, "big", 1, ["second"]), second: at(second.url, "small", 1) };
    await host.send(TeamOpen, { teamId: "t", definition: teamOf(models) });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await host.event("t", (event) => event.type === "message/chunk" && event.delta === "a ti");
    const { partials } = await host.send(TeamInterrupt, { teamId: "t" });
    assert.deepEqual(
      partials.map(({ content, model }) => [content, model?.name]),
      [["Once upon a ti", "big"]],
    );
    assert.equal((await run).stopReason, "USER_INTERRUPT");
  });

  it("a fallback that the team does not have, or that is the model itself, is a mistake in the definition", async () => {
    await using host = await HostClient.start();
    const models = {
      first: at("http://localhost:1/v1", "big", 1, ["secnd", "first"]),
      second: at("http://localhost:1/v1", "x", 1),
    };
    const { data } = await refusal(host.sendRaw("team/open", { definition: teamOf(models) }));
    assert.deepEqual(data["problems"], [
      { path: "models.first.fallback[0]", message: 'unknown model "secnd"; did you mean "second"?' },
      { path: "models.first.fallback", message: "should name other models: this one is asked first anyway" },
    ]);
  });
});
