import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import type { ModelPart } from "../../../engine/model.ts";
import { joinedParts } from "../../answer/joined-parts.ts";
import { httpModel } from "../../http-model.ts";
import { collect, definitionAt, noKeys, sampleRequest, stillClock, textOfParts } from "../../testing/collect.ts";
import { delta, finished, rawEndpoint, sendStream } from "../../testing/raw-endpoint.ts";

const mock = new LLMock({ port: 0, chunkSize: 4 });
before(() => mock.start());
after(() => mock.stop());
beforeEach(() => {
  mock.reset();
});

const model = (more = {}) => httpModel(definitionAt(`${mock.url}/v1`, more), noKeys, stillClock());

test("the chunks of an answer, joined, are its content, followed by its usage", async () => {
  const content = "The quick brown fox jumps over the lazy dog — überall.";
  mock.onMessage("hello", { content, usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } });

  const { parts, text } = await collect(model());

  assert.equal(text, content);
  assert.deepEqual(parts.at(-1), { type: "usage", usage: { prompt: 11, completion: 7, total: 18 } });
});

test("tool calls come once, at the end, complete and in order, after the text", async () => {
  const toolCalls = [
    { id: "call_a", name: "readFile", arguments: '{"path":"src/a.ts"}' },
    { id: "call_b", name: "listFiles", arguments: "{}" },
  ];
  mock.onMessage("hello", { content: "I look.", toolCalls });

  const { parts, text } = await collect(model());

  assert.equal(text, "I look.");
  const calls = parts.filter((part) => part.type === "calls");
  assert.deepEqual(calls, [{ type: "calls", calls: toolCalls }]);
  assert.ok(parts.findLastIndex((part) => part.type === "text") < parts.findIndex((part) => part.type === "calls"));
});

test("a model's thoughts are separate from its text", async () => {
  mock.onMessage("hello", { content: "42", reasoning: "six times seven" });

  const { parts, text } = await collect(model());

  assert.equal(text, "42");
  assert.equal(parts.map((part) => (part.type === "thought" ? part.delta : "")).join(""), "six times seven");
});

test("the request has the settings, the tools and the option for usage", async () => {
  mock.onMessage("hello", { content: "ok" });
  const tool = { name: "readFile", description: "Reads a file.", inputSchema: { type: "object" } };

  await collect(model({ temperature: 0.2, maxTokens: 99 }), { ...sampleRequest, tools: [tool] });

  const body = mock.getLastRequest()?.body;
  assert.ok(body !== null && body !== undefined && "model" in body);
  assert.equal(body.model, "gpt-test");
  assert.equal(body["temperature"], 0.2);
  assert.equal(body["max_tokens"], 99);
  assert.deepEqual(body["stream_options"], { include_usage: true });
  assert.deepEqual(body["tools"], [
    { type: "function", function: { name: "readFile", description: "Reads a file.", parameters: { type: "object" } } },
  ]);
});

test("an answer without a usage chunk has no usage", async () => {
  await using endpoint = await rawEndpoint((response) => sendStream(response, delta({ content: "hi" }), finished));
  const { parts } = await collect(httpModel(definitionAt(endpoint.url), noKeys));
  assert.deepEqual(parts, [{ type: "text", delta: "hi" }]);
});

test("each delta is passed on when it arrives, not when the answer is complete", async () => {
  const rest = Promise.withResolvers<() => void>();
  await using endpoint = await rawEndpoint((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(delta({ content: "first" }))}\n\n`);
    rest.resolve(() => {
      response.write(`data: ${JSON.stringify(delta({ content: " second" }))}\n\ndata: ${JSON.stringify(finished)}\n\n`);
      response.end();
    });
  });
  const { signal } = new AbortController();
  const parts: ModelPart[] = [];
  for await (const part of httpModel(definitionAt(endpoint.url), noKeys).stream(sampleRequest, {
    signal,
    onRetry() {},
  })) {
    parts.push(part);
    // The endpoint says nothing more until its first words have arrived here.
    if (parts.length === 1) (await rest.promise)();
  }
  assert.equal(textOfParts(parts), "first second");
});

test("reasoning under its other name, or beside text in one chunk, is a thought before the text", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendStream(response, delta({ reasoning_content: "hm" }), delta({ reasoning: "so", content: "yes" }), finished),
  );
  const { parts } = await collect(httpModel(definitionAt(endpoint.url), noKeys));
  assert.deepEqual(
    [...joinedParts(parts)],
    [
      { type: "thought", delta: "hmso" },
      { type: "text", delta: "yes" },
    ],
  );
});

test("an answer that comes as one message instead of deltas is read", async () => {
  const call = { function: { name: "readFile", arguments: { path: "a" } } };
  await using endpoint = await rawEndpoint((response) =>
    sendStream(response, {
      choices: [{ message: { content: "Reading.", tool_calls: [call] }, finish_reason: "tool_calls" }],
    }),
  );
  const { parts } = await collect(httpModel(definitionAt(endpoint.url), noKeys));
  assert.deepEqual(parts, [
    { type: "text", delta: "Reading." },
    { type: "calls", calls: [{ name: "readFile", arguments: '{"path":"a"}' }] },
  ]);
});

test("a refusal by the model is its text", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendStream(response, delta({ refusal: "I will not." }), finished),
  );
  const { text } = await collect(httpModel(definitionAt(endpoint.url), noKeys));
  assert.equal(text, "I will not.");
});

test("with a price, the usage includes the cost, with cached prompt tokens at their own price", async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
  const price = { prompt: 2, completion: 8, cachedPrompt: 0.5 };
  const costs: unknown[] = [];
  for (const cached of [{}, { prompt_tokens_details: { cached_tokens: 400 } }, { prompt_cache_hit_tokens: 400 }]) {
    await using endpoint = await rawEndpoint((response) =>
      sendStream(response, delta({ content: "hi" }), finished, { choices: [], usage: { ...usage, ...cached } }),
    );
    const { parts } = await collect(httpModel(definitionAt(endpoint.url, { price }), noKeys));
    const last = parts.at(-1);
    assert.ok(last?.type === "usage");
    costs.push(last.usage.cost);
  }
  assert.deepEqual(costs, [0.0028, 0.0022, 0.0022]);
});
