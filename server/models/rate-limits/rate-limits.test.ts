import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { ModelPart, ModelRetry, ModelWait } from "../../engine/model.ts";
import type { Clock } from "../clock.ts";
import { httpModel } from "../http-model.ts";
import { collect, definitionAt, noKeys, sampleRequest, stillClock } from "../testing/collect.ts";
import { limitedEndpoint } from "../testing/limited-endpoint.ts";
import { delta, finished, rawEndpoint, sendJson, sendStream } from "../testing/raw-endpoint.ts";
import { exhaustedFor } from "./exhausted.ts";
import { LearnedLimit } from "./learned-limit.ts";
import { RateLimits } from "./rate-limits.ts";

const answerTo = (text: string) => [delta({ content: text }), finished];

/** A clock that a test moves on. Waits that are over end in the order of their ends. */
class ManualClock implements Clock {
  #now = 0;
  readonly #waits = new Set<{ readonly at: number; readonly end: () => void }>();

  now(): number {
    return this.#now;
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wait = { at: this.#now + ms, end: resolve };
      this.#waits.add(wait);
      signal.addEventListener("abort", () => {
        this.#waits.delete(wait);
        resolve();
      });
    });
  }

  /** How many waits there are. */
  get waiting(): number {
    return this.#waits.size;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const wait of [...this.#waits].sort((a, b) => a.at - b.at)) {
      if (wait.at > this.#now) continue;
      this.#waits.delete(wait);
      wait.end();
    }
  }
}

test("a hundred requests at once to an endpoint that takes five at once are all answered, and few are refused", async () => {
  await using endpoint = await limitedEndpoint(5);
  const rates = new RateLimits();
  const model = httpModel(definitionAt(endpoint.url), { ...noKeys, rates });
  const answers = await Promise.all(Array.from({ length: 100 }, () => collect(model)));
  assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set(["ok"]));
  assert.equal(endpoint.most, 5);
  // Those that were sent before the limit was known, and some that met others on their way.
  assert.ok(endpoint.refused < 200, `${endpoint.refused} were refused`);
});

test("models with the same endpoint, key and model back off together, and others do not", async () => {
  const clock = new ManualClock();
  const access = { ...noKeys, rates: new RateLimits(clock) };
  let isBusy = true;
  await using endpoint = await rawEndpoint((response) =>
    isBusy ? sendJson(response, 429, {}, { "retry-after": "30" }) : sendStream(response, ...answerTo("ok")),
  );
  const first = collect(httpModel(definitionAt(endpoint.url), access, clock));
  await until(() => clock.waiting === 1);
  isBusy = false;
  const waits: (ModelWait | undefined)[] = [];
  const context = {
    signal: new AbortController().signal,
    onRetry: () => {},
    onWait: (w: ModelWait | undefined) => void waits.push(w),
  };
  const second = textOf(httpModel(definitionAt(endpoint.url), access, clock).stream(sampleRequest, context));
  const other = await collect(httpModel(definitionAt(endpoint.url, { model: "another" }), access, clock));
  assert.equal(other.text, "ok");
  assert.equal(endpoint.requests.length, 2);
  assert.deepEqual(waits, [{ endpoint: endpoint.host, until: 30_000 }]);
  clock.advance(30_000);
  const { text, retries } = await first;
  assert.equal(text, "ok");
  assert.deepEqual(retries, [
    { attempt: 1, waitMs: 30_000, status: 429, reason: `${endpoint.host} is rate limiting (429)` },
  ] satisfies ModelRetry[]);
  assert.equal(await second, "ok");
  assert.deepEqual(waits.slice(1), [undefined]);
});

test("a request that is interrupted while it waits leaves at once, and takes no place", async () => {
  const clock = new ManualClock();
  const access = { ...noKeys, rates: new RateLimits(clock) };
  await using endpoint = await rawEndpoint((response, count) =>
    count === 1 ? sendJson(response, 429, {}, { "retry-after": "30" }) : sendStream(response, ...answerTo("ok")),
  );
  const model = httpModel(definitionAt(endpoint.url), access, clock);
  const stop = new AbortController();
  const interrupted = collect(model, sampleRequest, stop.signal);
  await until(() => clock.waiting === 1);
  stop.abort();
  assert.equal((await interrupted).text, "");
  assert.equal(clock.waiting, 0, "no timer is left");
  const next = collect(model);
  await until(() => clock.waiting === 1);
  clock.advance(30_000);
  assert.equal((await next).text, "ok");
  assert.equal(endpoint.requests.length, 2);
});

test("the request that came first goes first, also after it was refused", async () => {
  const others = ["bob", "cid", "dan", "eve"];
  let first: ServerResponse | undefined;
  await using endpoint = await rawEndpoint((response, count) => {
    if (count === 1) first = response;
    else if (count <= 5) sendJson(response, 429, {});
    else sendStream(response, ...answerTo("ok"));
  });
  const rates = new RateLimits();
  const order: string[] = [];
  const refused = new Set<string>();
  const ask = async (name: string): Promise<void> => {
    const context = { signal: new AbortController().signal, onRetry: () => {}, onWait: () => void refused.add(name) };
    const model = httpModel(definitionAt(endpoint.url), { ...noKeys, rates });
    for await (const part of model.stream({ ...sampleRequest, participant: name }, context))
      if (part.type === "text") order.push(name);
  };
  const answered = ask("ann");
  await until(() => first !== undefined);
  const answers = others.map(ask);
  await until(() => refused.size === others.length);
  if (first !== undefined) sendStream(first, ...answerTo("ok"));
  await Promise.all([answered, ...answers]);
  assert.deepEqual(order, ["ann", ...others]);
});

test("an endpoint that never takes a request fails after the retries, also when many ask", async () => {
  await using endpoint = await rawEndpoint((response) => sendJson(response, 429, { error: { message: "No." } }));
  const rates = new RateLimits(stillClock());
  const model = httpModel(definitionAt(endpoint.url), { ...noKeys, rates }, stillClock());
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => collect(model)));
  for (const result of results) {
    assert.ok(result.status === "rejected");
    assert.match(String(result.reason), /is rate limiting gpt-test after 3 attempts/);
  }
});

test("a wait that an endpoint asks for with another error holds all requests", async () => {
  const clock = new ManualClock();
  const access = { ...noKeys, rates: new RateLimits(clock) };
  await using endpoint = await rawEndpoint((response, count) =>
    count === 1 ? sendJson(response, 503, {}, { "retry-after": "7" }) : sendStream(response, ...answerTo("ok")),
  );
  const model = httpModel(definitionAt(endpoint.url), access, clock);
  const first = collect(model);
  await until(() => clock.waiting === 1);
  const second = collect(model);
  await setImmediate();
  assert.equal(endpoint.requests.length, 1);
  clock.advance(7_000);
  assert.deepEqual([(await first).text, (await second).text], ["ok", "ok"]);
});

test("an allowance that an answer says is used up is waited for", async () => {
  const clock = new ManualClock();
  const access = { ...noKeys, rates: new RateLimits(clock) };
  await using endpoint = await rawEndpoint((response) => {
    response.setHeader("x-ratelimit-remaining-requests", "0");
    response.setHeader("x-ratelimit-reset-requests", "6s");
    sendStream(response, ...answerTo("ok"));
  });
  const model = httpModel(definitionAt(endpoint.url), access, clock);
  await collect(model);
  const second = collect(model);
  await until(() => clock.waiting === 1);
  assert.equal(endpoint.requests.length, 1);
  clock.advance(6_000);
  assert.equal((await second).text, "ok");
});

test("the headers of OpenAI and of Anthropic tell until when an allowance is used up", () => {
  const openAi = (left: string, reset: string) => ({
    "x-ratelimit-remaining-tokens": left,
    "x-ratelimit-reset-tokens": reset,
  });
  assert.equal(exhaustedFor(openAi("0", "6m0s"), 0), 360_000);
  assert.equal(exhaustedFor(openAi("0", "20ms"), 0), 20);
  assert.equal(exhaustedFor(openAi("0", "1.5s"), 0), 1_500);
  for (const [left, reset] of [
    ["1", "6s"],
    ["0", ""],
    ["0", "soon"],
    ["0", "24h"],
    ["", "6s"],
  ] as const)
    assert.equal(exhaustedFor(openAi(left, reset), 0), undefined, `${left} ${reset}`);
  const anthropic = {
    date: "Thu, 01 Jan 2026 00:00:00 GMT",
    "anthropic-ratelimit-requests-remaining": "0",
    "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:20Z",
  };
  assert.equal(exhaustedFor(anthropic, 0), 20_000);
});

test("a limit is what was taken of the requests that were in flight together", () => {
  const limit = new LearnedLimit(() => 0);
  const sent = Array.from({ length: 100 }, () => limit.sent());
  for (let nth = 0; nth < 95; nth++) limit.refused(sent[nth + 5] ?? limit.sent(), 99 - nth);
  assert.equal(limit.value, 5);
  for (let nth = 0; nth < 5; nth++) limit.answered();
  assert.equal(limit.value, 5);
});

test("a limit grows again: quickly where everything had been refused, one by one after a time where not", () => {
  let now = 0;
  const limit = new LearnedLimit(() => now);
  const sent = Array.from({ length: 10 }, () => limit.sent());
  for (const [nth, one] of sent.entries()) limit.refused(one, 9 - nth);
  assert.equal(limit.value, 1);
  for (let nth = 0; nth < 10; nth++) limit.answered();
  assert.equal(limit.value, 5);
  now = 15_000;
  limit.answered();
  limit.answered();
  assert.equal(limit.value, 6);
  limit.refused(limit.sent(), 5);
  assert.equal(limit.value, 5);
  // Longer than before.
  now = 30_000;
  limit.answered();
  assert.equal(limit.value, 5);
  now = 45_000;
  limit.answered();
  assert.equal(limit.value, 6);
});

async function textOf(parts: AsyncIterable<ModelPart>): Promise<string> {
  let text = "";
  for await (const part of parts) if (part.type === "text") text += part.delta;
  return text;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}
