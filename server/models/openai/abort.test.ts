import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelPart } from "../../engine/model.ts";
import { httpModel } from "../http-model.ts";
import { collect, definitionAt, noKeys, sampleRequest, textOfParts } from "../testing/collect.ts";
import { delta, rawEndpoint, sendJson, sendStream, startStream } from "../testing/raw-endpoint.ts";

const quiet = { onRetry() {} };

test("an abort in mid-stream closes the connection, and the answer ends with what had arrived", async () => {
  await using endpoint = await rawEndpoint((response) => startStream(response, delta({ content: "Once there" })));
  const aborter = new AbortController();
  const parts: ModelPart[] = [];
  const arriving = endpoint.next();

  for await (const part of httpModel(definitionAt(endpoint.url), noKeys).stream(sampleRequest, {
    signal: aborter.signal,
    ...quiet,
  })) {
    parts.push(part);
    aborter.abort();
  }

  await (await arriving).closed;
  assert.equal(textOfParts(parts), "Once there");
});

test("an abort while the endpoint is silent closes the connection", async () => {
  await using endpoint = await rawEndpoint((response) => startStream(response));
  const aborter = new AbortController();
  const arriving = endpoint.next();
  const ended = collect(httpModel(definitionAt(endpoint.url), noKeys), sampleRequest, aborter.signal);

  const received = await arriving;
  aborter.abort();

  await received.closed;
  assert.deepEqual((await ended).parts, []);
});

test("an abort before the endpoint has answered at all closes the connection", async () => {
  await using endpoint = await rawEndpoint(() => {});
  const aborter = new AbortController();
  const arriving = endpoint.next();
  const ended = collect(httpModel(definitionAt(endpoint.url), noKeys), sampleRequest, aborter.signal);

  const received = await arriving;
  aborter.abort();

  await received.closed;
  assert.deepEqual((await ended).parts, []);
});

test("a reader that stops reading closes the connection", async () => {
  await using endpoint = await rawEndpoint((response) =>
    startStream(response, delta({ content: "a" }), delta({ content: "b" })),
  );
  const arriving = endpoint.next();
  const { signal } = new AbortController();
  for await (const _ of httpModel(definitionAt(endpoint.url), noKeys).stream(sampleRequest, { signal, ...quiet }))
    break;
  await (await arriving).closed;
});

test("an abort during the wait for a retry ends the call at once, without another request", async () => {
  await using endpoint = await rawEndpoint((response) => sendJson(response, 503, {}, { "retry-after": "300" }));
  const aborter = new AbortController();

  // The real clock: were the wait not cut short, this test would last five minutes.
  const parts: ModelPart[] = [];
  for await (const part of httpModel(definitionAt(endpoint.url), noKeys).stream(sampleRequest, {
    signal: aborter.signal,
    onRetry: () => setImmediate(() => aborter.abort()),
  })) {
    parts.push(part);
  }

  assert.deepEqual(parts, []);
  assert.equal(endpoint.requests.length, 1);
});

test("an abort while the key is being read ends the call at once, without a request", async () => {
  await using endpoint = await rawEndpoint((response) => sendStream(response));
  const aborter = new AbortController();
  const keys = {
    get() {
      setImmediate(() => aborter.abort());
      return new Promise<string>(() => {});
    },
  };
  const model = httpModel(definitionAt(endpoint.url, { apiKey: { secret: "mine" } }), keys);
  assert.deepEqual((await collect(model, sampleRequest, aborter.signal)).parts, []);
  assert.equal(endpoint.requests.length, 0);
});

test("a call that was aborted before it started makes no request", async () => {
  await using endpoint = await rawEndpoint((response) => sendStream(response));
  const model = httpModel(definitionAt(endpoint.url), noKeys);
  assert.deepEqual((await collect(model, sampleRequest, AbortSignal.abort())).parts, []);
  assert.equal(endpoint.requests.length, 0);
});

test("parts that had already arrived are not passed on after the abort", async () => {
  const chunks = Array.from({ length: 40 }, (_, index) =>
    delta(index % 2 === 0 ? { content: `${index} ` } : { reasoning_content: `${index} ` }),
  );
  await using endpoint = await rawEndpoint((response) => startStream(response, ...chunks));
  const aborter = new AbortController();
  let seen = 0;
  for await (const _ of httpModel(definitionAt(endpoint.url), noKeys).stream(sampleRequest, {
    signal: aborter.signal,
    ...quiet,
  })) {
    seen += 1;
    if (seen === 10) aborter.abort();
  }
  assert.equal(seen, 10);
});
