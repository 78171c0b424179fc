import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { delta, finished, rawEndpoint, sendStream } from "../../server/models/testing/raw-endpoint.ts";
import { RawHost } from "./raw-host.ts";
import corpus from "./usage.json" with { type: "json" };

const count = z.number().int().min(0);
const Usage = z.object({ prompt: count, completion: count, total: count, cost: z.number().min(0).optional() });
const Result = z.object({ status: z.object({ code: z.literal("success") }), usage: Usage });
const Snapshot = z.object({ usage: Usage, participants: z.array(z.object({ usage: Usage.optional() })) });

/** Prices at which a count of tokens becomes infinite dollars. */
const PRICES = [undefined, { prompt: 1e308, completion: 1e308, cachedPrompt: 1e308 }] as const;

for (const { what, usage } of corpus) {
  test(`${what} from an endpoint are bounded or ignored, and the team can be read`, async () => {
    await using endpoint = await rawEndpoint((response) =>
      sendStream(response, delta({ content: "Done." }), `{"choices":[],"usage":${usage}}`, finished),
    );
    await using host = new RawHost();
    await host.request("initialize", { capabilities: {} });
    host.send({ jsonrpc: "2.0", method: "initialized", params: {} });
    for (const [at, price] of PRICES.entries()) {
      const teamId = `t${at}`;
      const model = { provider: "openai", model: "m", baseUrl: endpoint.url, maxRetries: 0, ...(price && { price }) };
      const definition = {
        name: "Usage",
        kind: "roundRobin",
        participants: [{ name: "ann" }],
        models: { default: model },
        maxTurns: 4,
      };
      await host.request("team/open", { teamId, definition });
      Result.parse((await host.request("team/run", { teamId, task: "Go" })).result);
      Snapshot.parse((await host.request("team/inspect", { teamId })).result);
      assert.equal((await host.request("team/events", { teamId })).error, undefined);
      const { result: state } = await host.request("team/saveState", { teamId });
      assert.equal((await host.request("team/loadState", { teamId, state })).error, undefined);
    }
  });
}

test("an error within a stream whose code is a fraction has no status, and the team can be read", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendStream(response, { error: { code: 500.5, type: "server_error", message: "No." } }),
  );
  await using host = new RawHost();
  await host.request("initialize", { capabilities: {} });
  host.send({ jsonrpc: "2.0", method: "initialized", params: {} });
  const model = { provider: "openai", model: "m", baseUrl: endpoint.url, maxRetries: 1 };
  const participants = [{ name: "ann" }];
  const definition = { name: "Fraction", kind: "roundRobin", participants, models: { default: model }, maxTurns: 1 };
  await host.request("team/open", { teamId: "t", definition });
  await host.request("team/run", { teamId: "t", task: "Go" });
  const { events } = z
    .object({ events: z.array(z.looseObject({ type: z.string() })) })
    .parse((await host.request("team/events", { teamId: "t" })).result);
  assert.ok(events.some(({ type }) => type === "model/retry"));
  assert.ok(events.every(({ type, data }) => type !== "error" || JSON.stringify(data).includes("ModelError")));
});
