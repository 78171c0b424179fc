import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenAiModel } from "../../shared/contract/definition.ts";
import { GavelError } from "../../shared/contract/errors.ts";
import { modelInfo } from "../../shared/state/model-choice.ts";
import type { ModelFallback, ModelRequest } from "../engine/model.ts";
import { fallbackModel } from "./fallback-model.ts";
import { httpModel } from "./http-model.ts";
import { RateLimits } from "./rate-limits/rate-limits.ts";
import { definitionAt, noKeys, sampleRequest, stillClock } from "./testing/collect.ts";
import {
  delta,
  finished,
  type RawEndpoint,
  rawEndpoint,
  sendJson,
  sendStream,
  startStream,
} from "./testing/raw-endpoint.ts";

const usage = { choices: [], usage: { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 } };
const ok = () => rawEndpoint((response) => sendStream(response, delta({ content: "ok" }), finished, usage));

/** A model with these endpoints, in this order, and what it reports. */
function modelAt(
  endpoints: readonly RawEndpoint[],
  more: Partial<OpenAiModel> = {},
  now = { ms: 0 },
  rates = new RateLimits(stillClock()),
) {
  const clock = { ...stillClock(), now: () => now.ms };
  const [first, ...others] = endpoints.map((endpoint, at) => {
    const price = { prompt: at + 1, completion: 0 };
    const definition = definitionAt(endpoint.url, { maxRetries: 0, ...more, model: `model${at + 1}`, price });
    return { info: modelInfo(definition), model: httpModel(definition, { ...noKeys, rates }, clock) };
  });
  assert.ok(first !== undefined);
  return fallbackModel(first, others, clock);
}

async function ask(
  model: ReturnType<typeof modelAt>,
  request: ModelRequest = sampleRequest,
  stop = new AbortController(),
) {
  const fallbacks: ModelFallback[] = [];
  let text = "";
  let cost: number | undefined;
  const context = {
    signal: stop.signal,
    onRetry: () => {},
    onFallback: (fallback: ModelFallback) => {
      fallbacks.push(fallback);
    },
  };
  for await (const part of model.stream(request, context)) {
    if (part.type === "text") text += part.delta;
    if (part.type === "usage") cost = part.usage.cost;
  }
  return { text, cost, told: fallbacks.map(({ from, to, reason }) => `${from.name} > ${to.name}: ${reason}`) };
}

const REFUSALS: readonly (readonly [status: number, body: object, reason: string])[] = [
  [503, {}, "answered 503"],
  [529, {}, "answered 529"],
  [429, {}, "is rate limiting (429)"],
  [401, {}, "refused the account"],
  [402, {}, "refused the account"],
  [429, { error: { code: "insufficient_quota" } }, "refused the account"],
  [404, { error: { code: "model_not_found" } }, "answered 404"],
  [400, { error: { code: "content_filter" } }, "answered 400"],
];

for (const [status, body, reason] of REFUSALS) {
  test(`the next model answers after ${status} ${JSON.stringify(body)}, at its own price`, async () => {
    await using first = await rawEndpoint((response) => sendJson(response, status, body));
    await using second = await ok();
    const { text, cost, told } = await ask(modelAt([first, second]));
    assert.deepEqual([text, cost, told], ["ok", 2, [`model1 > model2: ${first.host} ${reason}`]]);
  });
}

test("the next model answers where nothing listens, and after it the third", async () => {
  const gone = await ok();
  await gone[Symbol.asyncDispose]();
  await using busy = await rawEndpoint((response) => sendJson(response, 500, {}));
  await using third = await ok();
  const { text, told } = await ask(modelAt([gone, busy, third]));
  assert.equal(text, "ok");
  assert.deepEqual(told, [
    `model1 > model2: could not connect to ${gone.host} (ECONNREFUSED)`,
    `model2 > model3: ${busy.host} answered 500`,
  ]);
});

test("a mistake in the request or its settings is not hidden by another model", async () => {
  await using first = await rawEndpoint((response) =>
    sendJson(response, 400, { error: { message: "bad temperature" } }),
  );
  await using second = await ok();
  await assert.rejects(ask(modelAt([first, second])), /bad temperature/);
  assert.equal(second.requests.length, 0);
});

test("the last model's own error is thrown", async () => {
  await using first = await rawEndpoint((response) => sendJson(response, 503, {}));
  await using second = await rawEndpoint((response) => sendJson(response, 500, {}));
  await assert.rejects(ask(modelAt([first, second])), (error: unknown) => {
    assert.ok(error instanceof GavelError);
    assert.equal(error.data["model"], "model2");
    return true;
  });
});

test("a text that breaks off is continued by the next model, which sees what has come; nothing is lost or doubled", async () => {
  await using first = await rawEndpoint((response) => {
    startStream(response, delta({ content: "Once upon " }));
    setImmediate(() => response.destroy());
  });
  await using second = await rawEndpoint((response) => sendStream(response, delta({ content: "a time." }), finished));
  const { text, told } = await ask(modelAt([first, second]));
  assert.equal(text, "Once upon a time.");
  assert.deepEqual(told, [`model1 > model2: ${first.host} closed the connection`]);
  const { messages } = JSON.parse(second.requests[0]?.body ?? "");
  assert.equal(messages.filter(({ content }: { content: string }) => content === "Once upon ").length, 1);
  assert.match(JSON.stringify(messages.at(-1)), /Continue/i);
});

test("an answer that has to match a schema begins again, and nothing of the broken one is passed on", async () => {
  await using first = await rawEndpoint((response) => {
    startStream(response, delta({ content: '{"a":' }));
    setImmediate(() => response.destroy());
  });
  await using second = await rawEndpoint((response) => sendStream(response, delta({ content: '{"a":1}' }), finished));
  const output = { name: "answer", schema: { type: "object" } };
  const { text } = await ask(modelAt([first, second]), { ...sampleRequest, output });
  assert.equal(text, '{"a":1}');
});

test("a model that was out of order is asked again after a minute; a refused one at once", async () => {
  let status = 503;
  await using first = await rawEndpoint((response) =>
    status === 0 ? sendStream(response, delta({ content: "first" }), finished) : sendJson(response, status, {}),
  );
  await using second = await ok();
  const now = { ms: 0 };
  const model = modelAt([first, second], {}, now);
  await ask(model);
  const { told } = await ask(model);
  assert.deepEqual(told, [`model1 > model2: ${first.host} answered 503`]);
  assert.equal(first.requests.length, 1);
  now.ms = 60_000;
  status = 401;
  await ask(model);
  status = 0;
  assert.equal((await ask(model)).text, "first");
});

test("an interrupt while the first model answers asks no other", async () => {
  await using first = await rawEndpoint((response) => startStream(response, delta({ content: "Once" })));
  await using second = await ok();
  const stop = new AbortController();
  const asked = ask(modelAt([first, second]), sampleRequest, stop);
  await first.next();
  stop.abort();
  await asked;
  assert.equal(second.requests.length, 0);
});

/** An endpoint that asks to wait that many seconds, until it is told to answer. */
async function waiting(seconds: number) {
  const answers = { ok: false };
  const endpoint = await rawEndpoint((response) =>
    answers.ok
      ? sendStream(response, delta({ content: "first" }), finished)
      : sendJson(response, 429, {}, { "retry-after": String(seconds) }),
  );
  return Object.assign(endpoint, { answers });
}

test("a long wait that an endpoint asks for is not waited for: the next model answers until it is over", async () => {
  await using first = await waiting(300);
  await using second = await ok();
  const now = { ms: 0 };
  const clock = { ...stillClock(), now: () => now.ms };
  const model = modelAt([first, second], { maxRetries: 2 }, now, new RateLimits(clock));
  const told = [`model1 > model2: ${first.host} asked to wait 5 minutes`];
  assert.deepEqual((await ask(model)).told, told);
  now.ms = 299_999;
  assert.deepEqual((await ask(model)).told, told);
  assert.equal(first.requests.length, 1);
  first.answers.ok = true;
  now.ms = 300_000;
  const { text, told: after } = await ask(model);
  assert.deepEqual([text, after], ["first", []]);
});

test("a short wait that an endpoint asks for is waited for, and so is a long one of the last model", async () => {
  await using first = await waiting(30);
  await using second = await waiting(31);
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    wait: async (ms: number) => {
      waits.push(ms);
      first.answers.ok = ms === 30_000;
      second.answers.ok = ms === 31_000;
    },
  };
  const model = (endpoints: readonly RawEndpoint[]) =>
    modelAt(endpoints, { maxRetries: 2 }, { ms: 0 }, new RateLimits(clock));
  assert.equal((await ask(model([first, second]))).text, "first");
  first.answers.ok = false;
  assert.deepEqual((await ask(model([second, first]))).told, [
    `model1 > model2: ${second.host} asked to wait 31 seconds`,
  ]);
  assert.deepEqual(waits, [30_000, 30_000]);
});

test("requests that wait for a place at an endpoint go to the next model when it asks one of them to wait long", async () => {
  const asked = Promise.withResolvers<() => void>();
  let count = 0;
  await using first = await rawEndpoint((response) => {
    count += 1;
    if (count === 1) sendJson(response, 429, {}, { "retry-after": "1" });
    else asked.resolve(() => sendJson(response, 429, {}, { "retry-after": "300" }));
  });
  await using second = await ok();
  const rates = new RateLimits(stillClock());
  const model = () => modelAt([first, second], { maxRetries: 2 }, { ms: 0 }, rates);
  // After its first refusal, the endpoint gets one request at a time.
  const one = ask(model());
  const refuse = await asked.promise;
  const two = ask(model());
  refuse();
  for (const { text, told } of await Promise.all([one, two])) {
    assert.equal(text, "ok");
    assert.deepEqual(told, [`model1 > model2: ${first.host} asked to wait 5 minutes`]);
  }
  assert.equal(first.requests.length, 2);
});
