import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "../../engine/model.ts";
import { joinedParts } from "../answer/joined-parts.ts";
import { httpModel } from "../http-model.ts";
import { collect, definitionAt, noKeys, sampleRequest, stillClock } from "../testing/collect.ts";
import { failureAt } from "../testing/failing.ts";
import { delta, finished, type RawEndpoint, rawEndpoint, sendJson, sendStream } from "../testing/raw-endpoint.ts";

const ask = (endpoint: RawEndpoint, request: ModelRequest = sampleRequest, more = {}) =>
  collect(httpModel(definitionAt(endpoint.url, more), noKeys, stillClock()), request);

const bodiesOf = (endpoint: RawEndpoint): readonly Readonly<Record<string, unknown>>[] =>
  endpoint.requests.map(({ body }) => JSON.parse(body));

const schema = { type: "object", properties: { verdict: { type: "string" } } };
const judging: ModelRequest = { ...sampleRequest, output: { name: "verdict", schema } };

test("usage on every chunk is reported once, with the last values", async () => {
  const usage = (completion: number) => ({ prompt_tokens: 5, completion_tokens: completion });
  await using endpoint = await rawEndpoint((response) =>
    sendStream(
      response,
      { ...delta({ content: "a" }), usage: usage(1) },
      { ...delta({ content: "b" }), usage: usage(2) },
      { ...finished, usage: usage(3) },
      { choices: [], usage: null },
    ),
  );
  assert.deepEqual(
    [...joinedParts((await ask(endpoint)).parts)],
    [
      { type: "text", delta: "ab" },
      { type: "usage", usage: { prompt: 5, completion: 3, total: 8 } },
    ],
  );
});

test("an endpoint that refuses stream_options is asked again without them, and no retry is reported", async () => {
  const refusals = [
    { error: { message: "Unrecognized request argument supplied: stream_options" } },
    { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] },
  ];
  for (const refusal of refusals) {
    await using endpoint = await rawEndpoint((response, count) =>
      count === 1 ? sendJson(response, 400, refusal) : sendStream(response, delta({ content: "ok" }), finished),
    );
    const { text, retries } = await ask(endpoint, sampleRequest, { maxRetries: 0 });
    assert.equal(text, "ok");
    assert.deepEqual(retries, []);
    assert.deepEqual(
      bodiesOf(endpoint).map((body) => "stream_options" in body),
      [true, false],
    );
  }
});

test("for an endpoint that refuses response_format, the schema is put into the instructions", async () => {
  for (const status of [400, 422]) {
    await using endpoint = await rawEndpoint((response, count) =>
      count === 1
        ? sendJson(response, status, { error: "'response_format.type' must be 'text'" })
        : sendStream(response, delta({ content: '{"verdict":"yes"}' }), finished),
    );
    const { text } = await ask(endpoint, judging);
    const [first, second, ...others] = bodiesOf(endpoint);
    assert.equal(text, '{"verdict":"yes"}');
    assert.ok(first !== undefined && "response_format" in first);
    assert.ok(second !== undefined && !("response_format" in second));
    const [system] = second["messages"] as readonly { role: string; content: string }[];
    assert.equal(system?.role, "system");
    assert.match(system.content, /^Write\.\n\n.*JSON Schema/);
    assert.ok(system.content.includes(JSON.stringify(schema)));
    assert.deepEqual(others, []);
  }
});

test("both may be refused, one after the other; a refusal that persists is an error", async () => {
  await using endpoint = await rawEndpoint((response, count) => {
    if (count === 1) return sendJson(response, 400, { error: { message: "no json_schema here" } });
    if (count === 2) return sendJson(response, 400, { error: { message: "unknown field `stream_options`" } });
    sendStream(response, delta({ content: "{}" }), finished);
  });
  assert.equal((await ask(endpoint, judging)).text, "{}");

  const { error, asked } = await failureAt((response) => sendJson(response, 400, { error: "bad stream_options" }));
  assert.equal(asked, 2);
  assert.match(error.message, /refused the request for gpt-test \(400\) \("bad stream_options"\)/);
});

test("a refusal of anything else is an error at once", async () => {
  for (const message of ["temperature is out of range", "Bad image format"]) {
    const { asked } = await failureAt((response) => sendJson(response, 400, { error: { message } }));
    assert.equal(asked, 1, message);
  }
});

test("an answer without a finish reason is complete when the endpoint sends [DONE]", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendStream(
      response,
      delta({ content: "all" }),
      delta({ tool_calls: [{ function: { name: "a", arguments: {} } }] }),
    ),
  );
  assert.deepEqual((await ask(endpoint)).parts, [
    { type: "text", delta: "all" },
    { type: "calls", calls: [{ name: "a", arguments: "{}" }] },
  ]);
});

test("chunks without choices, or with null and empty fields, are ignored", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendStream(
      response,
      { choices: [] },
      { choices: null },
      { choices: [null] },
      { choices: [{ delta: null }] },
      delta({ content: null, reasoning_content: null, tool_calls: null }),
      delta({ content: "x", tool_calls: [] }),
      { choices: [{ delta: {}, finish_reason: "stop" }] },
    ),
  );
  assert.deepEqual((await ask(endpoint)).parts, [{ type: "text", delta: "x" }]);
});

test("calls with empty ids, equal indexes and objects as arguments are read correctly", async () => {
  const call = (name: string, value: unknown) => ({ index: 0, id: "", function: { name, arguments: value } });
  await using endpoint = await rawEndpoint((response) =>
    sendStream(
      response,
      delta({ tool_calls: [call("a", { x: 1 })] }),
      delta({ tool_calls: [call("b", '{"y":2}')] }),
      finished,
    ),
  );
  assert.deepEqual((await ask(endpoint)).parts, [
    {
      type: "calls",
      calls: [
        { name: "a", arguments: '{"x":1}' },
        { name: "b", arguments: '{"y":2}' },
      ],
    },
  ]);
});

test("a local model's <think> tags are thoughts; from OpenAI itself and Azure they are text", async () => {
  const pieces = ["<th", "ink>", "Hm, 6 × 7", ".</thi", "nk>\n\n", "42", "."].map((content) => delta({ content }));
  await using endpoint = await rawEndpoint((response) => sendStream(response, ...pieces, finished));
  const { parts, text } = await ask(endpoint);
  assert.equal(text, "42.");
  assert.equal(parts.map((part) => (part.type === "thought" ? part.delta : "")).join(""), "Hm, 6 × 7.");

  const azure = { provider: "azure", endpoint: endpoint.url, deployment: "ours" } as const;
  const answer = await collect(httpModel(azure, { get: async () => "k" }, stillClock()));
  assert.equal(answer.text, "<think>Hm, 6 × 7.</think>\n\n42.");
});

test("text that might have started a tag comes before the calls when the answer ends", async () => {
  const tool_calls = [{ index: 0, id: "1", function: { name: "a", arguments: "{}" } }];
  await using endpoint = await rawEndpoint((response) =>
    sendStream(response, delta({ content: "<" }), delta({ tool_calls }), finished),
  );
  assert.deepEqual((await ask(endpoint)).parts, [
    { type: "text", delta: "<" },
    { type: "calls", calls: [{ id: "1", name: "a", arguments: "{}" }] },
  ]);
});
