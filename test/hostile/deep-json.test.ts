import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { delta, finished, rawEndpoint, sendStream } from "../../server/models/testing/raw-endpoint.ts";
import json from "./deep-json.json" with { type: "json" };
import { RawHost } from "./raw-host.ts";

const Corpus = z.array(
  z.strictObject({
    what: z.string(),
    start: z.string(),
    open: z.string(),
    levels: z.number(),
    middle: z.string().default(""),
    close: z.string(),
    end: z.string(),
  }),
);

const TaskResult = z.object({
  status: z.object({ code: z.string() }),
  messages: z.array(z.object({ content: z.unknown() })),
});

/** A host whose team has one participant, with a model at this address. */
async function run(host: RawHost, baseUrl: string, participant: object): Promise<z.infer<typeof TaskResult>> {
  await host.request("initialize", { capabilities: {} });
  host.send({ jsonrpc: "2.0", method: "initialized", params: {} });
  const definition = {
    name: "Deep",
    kind: "roundRobin",
    participants: [{ name: "ann", ...participant }],
    models: { default: { provider: "openai", model: "m", baseUrl, maxRetries: 0 } },
    maxTurns: 1,
  };
  const { teamId } = z.object({ teamId: z.string() }).parse((await host.request("team/open", { definition })).result);
  return TaskResult.parse((await host.request("team/run", { teamId, task: "Go" })).result);
}

for (const { what, start, open, levels, middle, close, end } of Corpus.parse(json)) {
  const text = `${start}${open.repeat(levels)}${middle}${close.repeat(levels)}${end}`;

  test(`a call with ${what} is not run, and its model is told why`, async () => {
    await using endpoint = await rawEndpoint((response, count) => {
      const call = { index: 0, id: "call_0", function: { name: "look", arguments: text } };
      if (count === 1) sendStream(response, delta({ tool_calls: [call] }), finished);
      else sendStream(response, delta({ content: "Done." }), finished);
    });
    await using host = new RawHost();
    const look = { name: "look", description: "Looks.", inputSchema: { type: "object" }, approval: "never" };
    const result = await run(host, endpoint.url, { tools: [look], reflectOnToolUse: true });
    assert.equal(result.status.code, "success");
    assert.match(endpoint.requests[1]?.body ?? "", /nested too deep, so the tool was not run/);
  });

  test(`an answer with ${what} is not valid JSON for an output schema`, async () => {
    await using endpoint = await rawEndpoint((response, count) =>
      sendStream(response, delta({ content: count === 1 ? text : '{"a":1}' }), finished),
    );
    await using host = new RawHost();
    const result = await run(host, endpoint.url, { output: { name: "any", schema: { type: "object" } } });
    assert.equal(result.status.code, "success");
    assert.deepEqual(result.messages.at(-1)?.content, { a: 1 });
  });
}
