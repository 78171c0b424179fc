import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import type { OpenAiModel } from "../../../../shared/contract/definition.ts";
import type { ModelPart } from "../../../engine/model.ts";
import { httpModel } from "../../http-model.ts";
import { collect, definitionAt, noKeys, sampleRequest, stillClock, textOfParts } from "../../testing/collect.ts";
import { failureAt as chatFailingAt } from "../../testing/failing.ts";
import { type RawEndpoint, rawEndpoint, sendJson, sendStream, startStream } from "../../testing/raw-endpoint.ts";

const mock = new LLMock({ port: 0, chunkSize: 4 });
before(() => mock.start());
after(() => mock.stop());
beforeEach(() => {
  mock.reset();
});

const responses = { api: "responses" } as const;
const modelAt = (url: string, more: Partial<OpenAiModel> = {}) =>
  httpModel(definitionAt(url, { ...responses, ...more }), noKeys, stillClock());
const mocked = (more: Partial<OpenAiModel> = {}) => modelAt(`${mock.url}/v1`, more);
const failingAt = (answer: (response: ServerResponse) => void, more: Partial<OpenAiModel> = {}, key?: string) =>
  chatFailingAt(answer, { ...responses, ...more }, key);

const said = (delta: string) => ({ type: "response.output_text.delta", delta });
const completed = { type: "response.completed", response: { status: "completed" } };
const thoughtsIn = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === "thought" ? part.delta : "")).join("");

async function partsOf(endpoint: RawEndpoint): Promise<readonly ModelPart[]> {
  return (await collect(modelAt(endpoint.url))).parts;
}

test("the chunks of an answer, joined, are its content, followed by usage and cost", async () => {
  const content = "The quick brown fox jumps over the lazy dog.";
  mock.onMessage("hello", { content, usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 } });

  const { parts, text } = await collect(mocked({ price: { prompt: 1, completion: 2 } }));

  assert.equal(text, content);
  assert.deepEqual(parts.at(-1), { type: "usage", usage: { prompt: 11, completion: 7, total: 18, cost: 0.000025 } });
});

test("tool calls come once, at the end, complete and in order, after the text", async () => {
  const toolCalls = [
    { id: "call_a", name: "readFile", arguments: '{"path":"src/a.ts"}' },
    { id: "call_b", name: "listFiles", arguments: "{}" },
  ];
  mock.onMessage("hello", { content: "I look.", toolCalls });

  const { parts, text } = await collect(mocked());

  assert.equal(text, "I look.");
  assert.deepEqual(
    parts.filter((part) => part.type === "calls"),
    [{ type: "calls", calls: toolCalls }],
  );
});

test("a reasoning summary is passed on as thoughts, separate from the text", async () => {
  mock.onMessage("hello", { content: "42", reasoning: "six times seven" });
  const { parts, text } = await collect(mocked());
  assert.equal(text, "42");
  assert.equal(thoughtsIn(parts), "six times seven");
});

test("the parts of a summary are paragraphs, and an open model's reasoning itself is passed on too", async () => {
  const summary = (delta: string) => ({ type: "response.reasoning_summary_text.delta", delta });
  const part = { type: "response.reasoning_summary_part.added" };
  await using endpoint = await rawEndpoint((response) =>
    sendStream(response, part, summary("Fir"), summary("st."), part, summary("Second."), said("Yes."), completed),
  );
  assert.equal(thoughtsIn(await partsOf(endpoint)), "First.\n\nSecond.");
  await using open = await rawEndpoint((response) =>
    sendStream(response, { type: "response.reasoning_text.delta", delta: "Hm." }, said("Yes."), completed),
  );
  assert.equal(thoughtsIn(await partsOf(open)), "Hm.");
});

test("a conversation with a call and its result is accepted by the endpoint", async () => {
  mock.on({ toolCallId: "r1" }, { content: "It has three lines." });
  const calls = [{ ref: "r1", name: "readFile", input: { path: "a" } }];
  const { text } = await collect(mocked(), {
    ...sampleRequest,
    items: [
      ...sampleRequest.items,
      { role: "assistant", content: "", calls },
      { role: "tool", ref: "r1", name: "readFile", output: "1\n2\n3", isError: false },
    ],
  });
  assert.equal(text, "It has three lines.");
});

test("an answer needs no [DONE], and a refusal by the model is its text", async () => {
  await using endpoint = await rawEndpoint((response) => {
    startStream(response, { type: "response.refusal.delta", delta: "I will not." }, completed);
    response.end();
  });
  assert.deepEqual(await partsOf(endpoint), [{ type: "text", delta: "I will not." }]);
});

test("an answer that the token limit ended is kept unchanged", async () => {
  const incomplete = { type: "response.incomplete", response: { incomplete_details: { reason: "max_output_tokens" } } };
  await using endpoint = await rawEndpoint((response) => sendStream(response, said("Once there"), incomplete));
  assert.deepEqual(await partsOf(endpoint), [{ type: "text", delta: "Once there" }]);
});

test("an answer that the content filter withheld entirely is reported as such", async () => {
  const incomplete = { type: "response.incomplete", response: { incomplete_details: { reason: "content_filter" } } };
  const { error } = await failingAt((response) => sendStream(response, incomplete));
  assert.match(error.message, /content filter of .* withheld the whole answer/);
});

test("a stream that ends before the answer is reported as cut off, its text kept", async () => {
  const { error, parts } = await failingAt((response) => sendStream(response, said("half of")));
  assert.match(error.message, /closed the connection while gpt-test was answering; the text so far is kept/);
  assert.equal(textOfParts(parts), "half of");
});

test("a failed answer is reported with its text, and retried where that may help and no text has arrived", async () => {
  const failed = (code: string) => ({ type: "response.failed", response: { error: { code, message: "Overrun" } } });
  const early = await failingAt((response) => sendStream(response, failed("server_error")));
  assert.equal(early.asked, 3);
  assert.match(early.error.message, /reported an error for gpt-test after 3 attempts \("Overrun"\)/);
  const hopeless = await failingAt((response) => sendStream(response, failed("invalid_image")));
  assert.equal(hopeless.asked, 1);
  const late = await failingAt((response) => sendStream(response, said("a"), failed("server_error")));
  assert.match(late.error.message, /reported an error while gpt-test was answering \("Overrun"\)/);
});

test("an error event is reported, in either of its forms", async () => {
  for (const event of [
    { type: "error", code: "server_error", message: "GPU lost" },
    { type: "error", error: { code: "server_error", message: "GPU lost" } },
  ]) {
    const { error, asked } = await failingAt((response) => sendStream(response, event));
    assert.equal(asked, 3);
    assert.match(error.message, /\("GPU lost"\)/);
  }
});

test("rate limits are waited for and reported, as in Chat Completions", async () => {
  mock.nextRequestError(429, { message: "slow down" });
  mock.onMessage("hello", { content: "at last" });
  const { text, retries } = await collect(mocked());
  assert.equal(text, "at last");
  assert.deepEqual(
    retries.map(({ attempt, waitMs, status }) => ({ attempt, waitMs, status })),
    [{ attempt: 1, waitMs: 1000, status: 429 }],
  );
});

test("for an endpoint without this API, the error points to the address", async () => {
  const { error } = await failingAt((response) => response.writeHead(404).end());
  assert.match(error.message, /did not find the address or the model "gpt-test" \(404\)/);
});

test("malformed answers are reported as such", async () => {
  const { error } = await failingAt((response) => sendStream(response, "[]"));
  assert.match(error.message, /sent an event that is not part of an answer/);
  const page = await failingAt((response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"));
  assert.match(page.error.message, /sent a web page instead of an answer/);
});

test("a refused format is put into the instructions", async () => {
  const schema = { type: "object" };
  await using endpoint = await rawEndpoint((response, count) =>
    count === 1
      ? sendJson(response, 400, { error: { message: "Unsupported parameter: text.format" } })
      : sendStream(response, said("{}"), completed),
  );
  const { text } = await collect(modelAt(endpoint.url), { ...sampleRequest, output: { name: "o", schema } });
  const [first, second] = endpoint.requests.map(({ body }) => JSON.parse(body));
  assert.equal(text, "{}");
  assert.ok("text" in first && !("text" in second));
  assert.match(second.instructions, /^Write\.\n\n.*JSON Schema/);
});

test("an abort in mid-stream closes the connection, and the answer ends with what had arrived", async () => {
  await using endpoint = await rawEndpoint((response) => startStream(response, said("Once there")));
  const aborter = new AbortController();
  const arriving = endpoint.next();
  const parts: ModelPart[] = [];
  for await (const part of modelAt(endpoint.url).stream(sampleRequest, { signal: aborter.signal, onRetry() {} })) {
    parts.push(part);
    aborter.abort();
  }
  await (await arriving).closed;
  assert.equal(textOfParts(parts), "Once there");
});

test("a key that the endpoint repeats in an event is not in the error", async () => {
  const key = "sk-live-Q7w8E9r0T1y2";
  for (const event of [
    { type: "error", message: `The key ${key} is unknown` },
    { type: "response.failed", response: { error: { code: key, message: `Bearer ${key}` } } },
  ]) {
    const { error, retries } = await failingAt(
      (response) => sendStream(response, event),
      { apiKey: { secret: "mine" } },
      key,
    );
    assert.ok(!/Q7w8|T1y2/.test(JSON.stringify([error.message, error.data, retries])));
  }
});
