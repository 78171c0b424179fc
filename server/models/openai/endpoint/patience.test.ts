import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, test } from "node:test";
import { collect, definitionAt, noKeys } from "../../testing/collect.ts";
import { delta, finished, rawEndpoint, sendStream, startStream } from "../../testing/raw-endpoint.ts";
import { openAiModel } from "../openai-model.ts";

const LIMIT = { timeout: 60_000 };

// Node's `fetch` waits 300 seconds. Here it waits one millisecond, which its timers make a second.
const dispatchers = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
const original = new Map<symbol, unknown>();
before(async () => {
  await assert.rejects(fetch("http://127.0.0.1:9"));
  for (const symbol of dispatchers) {
    const agent: unknown = Reflect.get(globalThis, symbol);
    if (typeof agent !== "object" || agent === null) continue;
    original.set(symbol, agent);
    Reflect.set(globalThis, symbol, Reflect.construct(agent.constructor, [{ headersTimeout: 1, bodyTimeout: 1 }]));
  }
});
after(() => {
  for (const [symbol, agent] of original) Reflect.set(globalThis, symbol, agent);
});

/** An endpoint that keeps its first request, which is the model's, until the second has been given up by `fetch`. */
async function isAnswered(begin: (response: ServerResponse) => void, end: (response: ServerResponse) => void) {
  const waiting: ServerResponse[] = [];
  await using endpoint = await rawEndpoint((response) => {
    begin(response);
    waiting.push(response);
  });
  const arrived = endpoint.next();
  const answer = collect(openAiModel(definitionAt(endpoint.url, { maxRetries: 0 }), noKeys));
  answer.catch(() => {});
  await arrived;
  await assert.rejects(async () => (await fetch(endpoint.url)).text());
  const [response] = waiting;
  assert.ok(response !== undefined);
  end(response);
  return (await answer).text;
}

test("an answer may begin after the time that fetch waits for it", LIMIT, async () => {
  const end = (response: ServerResponse) => sendStream(response, delta({ content: "ok" }), finished);
  assert.equal(await isAnswered(() => {}, end), "ok");
});

test("an answer may go on after the time that fetch waits for its next part", LIMIT, async () => {
  const begin = (response: ServerResponse) => startStream(response, delta({ content: "Let me think. " }));
  const end = (response: ServerResponse) => {
    response.end(`data: ${JSON.stringify(delta({ content: "Yes." }))}\n\ndata: ${JSON.stringify(finished)}\n\n`);
  };
  assert.equal(await isAnswered(begin, end), "Let me think. Yes.");
});
