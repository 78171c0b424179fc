import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelPart } from "../../engine/model.ts";
import { httpModel } from "../http-model.ts";
import { collect, noKeys, sampleRequest, stillClock, textOfParts } from "../testing/collect.ts";
import { ended, geminiAt, parts, sendChunks } from "../testing/gemini-stream.ts";
import { rawEndpoint, sendJson, sendWithoutEnd, startStream } from "../testing/raw-endpoint.ts";

const KEY = "AIza-secret-key-1234567890-abcdef";
const withKey = { get: async () => KEY };

test("text streams as it comes, and the request has the key and nothing about this machine", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendChunks(response, parts({ text: "Hello" }), parts({ text: " there" }), ended()),
  );
  const { parts: all, text } = await collect(
    httpModel(geminiAt(endpoint.url, { apiKey: { secret: "mine" } }), withKey),
  );
  assert.equal(text, "Hello there");
  assert.deepEqual(all.at(-1), { type: "usage", usage: { prompt: 10, completion: 5, total: 15 } });
  const [request] = endpoint.requests;
  assert.equal(request?.url, "/v1/models/gemini-test:streamGenerateContent?alt=sse");
  const { host, connection, "content-length": _, ...headers } = request.headers;
  assert.deepEqual(headers, { "content-type": "application/json", "user-agent": "Gavel", "x-goog-api-key": KEY });
});

test("an endpoint of one's own is called without a key, wherever the environment has one", async () => {
  await using endpoint = await rawEndpoint((response) => sendChunks(response, parts({ text: "Hi" }), ended()));
  const names = ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GEMINI_BASE_URL"];
  for (const name of names) process.env[name] = "http://127.0.0.1:9";
  try {
    assert.equal((await collect(httpModel(geminiAt(endpoint.url), noKeys))).text, "Hi");
  } finally {
    for (const name of names) delete process.env[name];
  }
  assert.deepEqual(Object.keys(endpoint.requests[0]?.headers ?? {}).sort(), [
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
  ]);
});

test("thoughts stream as thoughts, and calls are kept with their signatures", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendChunks(
      response,
      parts({ text: "Let me see.", thought: true }),
      parts({ text: "I look." }),
      parts(
        { functionCall: { id: "c1", name: "readFile", args: { path: "a" } }, thoughtSignature: "c2ln" },
        { functionCall: { name: "readFile" } },
      ),
      ended(),
    ),
  );
  const { parts: all } = await collect(httpModel(geminiAt(endpoint.url), noKeys));
  const signed = (signature: string) => JSON.stringify({ provider: "gemini", model: "gemini-test", signature });
  assert.deepEqual(all.slice(0, -1), [
    { type: "thought", delta: "Let me see." },
    { type: "text", delta: "I look." },
    {
      type: "calls",
      calls: [
        { id: "c1", name: "readFile", arguments: '{"path":"a"}', signedThoughts: signed("c2ln") },
        { name: "readFile", arguments: "{}", signedThoughts: signed("") },
      ],
    },
  ]);
});

test("a text with separators of lines and paragraphs arrives as it was written", async () => {
  const written = "one\u2028two\u2029three\u0085four\r\nfive";
  await using endpoint = await rawEndpoint((response) => sendChunks(response, parts({ text: written }), ended()));
  assert.equal((await collect(httpModel(geminiAt(endpoint.url), noKeys))).text, written);
});

test("an answer whose events have names, and data of several lines, is read by its data", async () => {
  await using endpoint = await rawEndpoint((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const data = [parts({ text: "Hello" }), ended()].map((chunk) => JSON.stringify(chunk, null, 1));
    response.end(data.map((one) => `event: chunk\ndata: ${one.replaceAll("\n", "\ndata: ")}\n\n`).join(""));
  });
  assert.equal((await collect(httpModel(geminiAt(endpoint.url), noKeys))).text, "Hello");
});

test("an endpoint cannot have more requests made for an answer, and one that is to be continued is not complete", async () => {
  const continued = (nth: number, text: string, finishReason?: string) => ({
    candidates: [
      {
        content: { role: "model", parts: text === "" ? [] : [{ text }] },
        continuationToken: `next-${nth}`,
        ...(finishReason === undefined ? {} : { finishReason }),
      },
    ],
  });
  let requests = 0;
  const answers: readonly Parameters<typeof rawEndpoint>[0][] = [
    (response) => sendChunks(response, continued(++requests, "Once", "CONTINUATION")),
    (response) => {
      startStream(response, continued(++requests, "Once"));
      response.write(": keep alive\n\n", () => setImmediate(() => response.destroy()));
    },
    (response) => {
      startStream(response, continued(++requests, "Once"));
      response.write(`data: ${"x".repeat(500_000)}`);
    },
  ];
  for (const [nth, answer] of answers.entries()) {
    requests = 0;
    const failed = await failureOf(
      // Whoever is asked again and again has an end.
      (...exchange) => (requests < 5 ? answer(...exchange) : sendChunks(exchange[0], ended())),
      { limits: { eventBytes: 50_000 } },
    );
    assert.deepEqual([failed.text, requests], ["Once", 1], String(nth));
    assert.match(failed.message, /^HOST (closed the connection|sent 50,000 bytes without an event) while gemini-test/);
  }
});

test("thoughts count as what the model writes, and cached tokens have their own price", async () => {
  const usage = {
    promptTokenCount: 1000,
    cachedContentTokenCount: 800,
    candidatesTokenCount: 50,
    thoughtsTokenCount: 150,
  };
  await using endpoint = await rawEndpoint((response) =>
    sendChunks(response, parts({ text: "Hi" }), ended("STOP", usage)),
  );
  const price = { prompt: 10, completion: 100, cachedPrompt: 1 };
  const { parts: all } = await collect(httpModel(geminiAt(endpoint.url, { price }), noKeys));
  const cost = (200 * 10 + 800 * 1 + 200 * 100) / 1e6;
  assert.deepEqual(all.at(-1), { type: "usage", usage: { prompt: 1000, completion: 200, total: 1200, cost } });
});

/** What the user reads when the endpoint answers so, and what had arrived by then. */
async function failureOf(answer: Parameters<typeof rawEndpoint>[0], more: Parameters<typeof geminiAt>[1] = {}) {
  await using endpoint = await rawEndpoint(answer);
  const clock = stillClock();
  const definition = geminiAt(endpoint.url, { apiKey: { secret: "mine" }, ...more });
  const arrived: ModelPart[] = [];
  try {
    const context = { signal: new AbortController().signal, onRetry() {} };
    for await (const part of httpModel(definition, withKey, clock).stream(sampleRequest, context)) arrived.push(part);
  } catch (error) {
    const message = error instanceof Error ? error.message.replaceAll(endpoint.host, "HOST") : "";
    return { message, text: textOfParts(arrived), requests: endpoint.requests.length, waits: clock.waits };
  }
  throw new Error("It did not fail.");
}

const refusal = (code: number, status: string, message: string, details: readonly unknown[] = []) => ({
  error: { code, message, status, details },
});

const REFUSALS = [
  [
    400,
    "INVALID_ARGUMENT",
    "API key not valid. Please pass a valid API key.",
    1,
    'HOST refused the key "mine" for gemini-test (400) ("API key not valid. Please pass a valid API key."); store a valid key.',
  ],
  [
    403,
    "PERMISSION_DENIED",
    "No access",
    1,
    'HOST refused the key "mine" for gemini-test (403) ("No access"); store a valid key.',
  ],
  [
    404,
    "NOT_FOUND",
    "models/gemini-test is not found",
    1,
    'HOST has no model "gemini-test" ("models/gemini-test is not found"); correct `model` in the team file.',
  ],
  [
    400,
    "INVALID_ARGUMENT",
    "The input token count (9) exceeds the maximum number of tokens allowed (8).",
    1,
    "The conversation is too long for gemini-test at HOST; give the participant a shorter `context` in the team file, or a model with a larger context window.",
  ],
  [
    429,
    "RESOURCE_EXHAUSTED",
    "Quota exceeded",
    3,
    'HOST is rate limiting gemini-test after 3 attempts ("Quota exceeded"); wait a while, then run the team again.',
  ],
  [
    503,
    "UNAVAILABLE",
    "The model is overloaded.",
    3,
    'HOST failed on gemini-test (503) after 3 attempts ("The model is overloaded."); try again later.',
  ],
] as const;

for (const [status, name, said, attempts, sentence] of REFUSALS) {
  test(`${status} ${said} is one sentence with what to do, after ${attempts} attempts`, async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7.5s" }];
    const failed = await failureOf((response) => sendJson(response, status, refusal(status, name, said, details)));
    assert.equal(failed.message, sentence);
    assert.equal(failed.requests, attempts);
    if (status === 429) assert.deepEqual(failed.waits, [7500, 7500]);
  });
}

test("an error in the stream keeps the text so far, and is retried only before any", async () => {
  const overloaded = refusal(503, "UNAVAILABLE", "Overloaded");
  const late = await failureOf((response) => sendChunks(response, parts({ text: "Once" }), overloaded));
  assert.deepEqual([late.text, late.requests], ["Once", 1]);
  assert.equal(
    late.message,
    'HOST reported an error while gemini-test was answering ("Overloaded"); the text so far is kept, and running the team again continues from there.',
  );
  assert.equal((await failureOf((response) => sendChunks(response, overloaded))).requests, 3);
});

test("a connection that breaks in mid-answer, or an answer without its end, keeps the text so far", async () => {
  for (const end of [(r: { destroy(): void }) => r.destroy(), (r: { end(): void }) => r.end()]) {
    const failed = await failureOf((response) => {
      startStream(response, parts({ text: "Once" }));
      response.write(": keep alive\n\n", () => setImmediate(end, response));
    });
    assert.equal(failed.text, "Once");
    assert.match(
      failed.message,
      /^HOST closed the connection while gemini-test was answering; the text so far is kept/,
    );
  }
});

test("an answer that stops at a limit, is withheld or has unreadable calls is not taken for a complete one", async () => {
  const stop = (reason: string) =>
    failureOf((response) => sendChunks(response, parts({ text: "Once" }), ended(reason)));
  assert.match(
    (await stop("MAX_TOKENS")).message,
    /^gemini-test at HOST reached the most tokens of one answer before its end; the text so far is kept/,
  );
  assert.equal(
    (await stop("SAFETY")).message,
    "HOST withheld the rest of the answer of gemini-test; the text so far is kept; rephrase the task.",
  );
  assert.match(
    (await stop("MALFORMED_FUNCTION_CALL")).message,
    /^HOST sent tool calls that the model had not written correctly while gemini-test was answering/,
  );
  const blocked = await failureOf((response) => sendChunks(response, { promptFeedback: { blockReason: "SAFETY" } }));
  assert.equal(
    blocked.message,
    "The content filter of HOST withheld the whole answer of gemini-test; rephrase the task.",
  );
});

test("what is no answer of the Gemini API is said to be none", async () => {
  const page = await failureOf((response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"));
  assert.match(page.message, /^HOST sent a web page instead of an answer .* is that of the Gemini API\.$/);
  const broken = await failureOf((response) => {
    startStream(response, "{");
    response.end();
  });
  assert.match(broken.message, /^HOST sent an event that is not JSON /);
});

test("an answer without an end is given up at the limits of its definition", async () => {
  const endless = await failureOf(sendWithoutEnd, { limits: { eventBytes: 50_000 }, maxRetries: 0 });
  assert.match(endless.message, /^HOST sent 50,000 bytes without an event /);
});

test("the key is redacted where the endpoint repeats it: in text, thoughts, calls and errors", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendChunks(
      response,
      parts({ text: `It is ${KEY}.`, thought: true }),
      parts({ text: `Your key is ${KEY.slice(0, 12)}` }, { text: `${KEY.slice(12)}.` }),
      parts({ functionCall: { name: "run", args: { key: KEY } } }),
      ended(),
    ),
  );
  const { parts: all } = await collect(httpModel(geminiAt(endpoint.url, { apiKey: { secret: "mine" } }), withKey));
  assert.ok(!JSON.stringify(all).includes(KEY));
  const failed = await failureOf((response) => sendChunks(response, refusal(400, "INVALID_ARGUMENT", `No: ${KEY}`)));
  assert.ok(!failed.message.includes(KEY));
});

for (const [when, ...chunks] of [
  ["before anything has come"],
  ["in mid-thought", parts({ text: "Hm", thought: true })],
  ["in mid-text", parts({ text: "Hm" })],
] as const) {
  test(`an abort ${when} closes the connection, and the answer ends without an error`, async () => {
    await using endpoint = await rawEndpoint((response) => startStream(response, ...chunks));
    const aborter = new AbortController();
    const arriving = endpoint.next();
    const answer = collect(httpModel(geminiAt(endpoint.url), noKeys), sampleRequest, aborter.signal);
    const received = await arriving;
    setImmediate(() => aborter.abort());
    await received.closed;
    const { parts: all } = await answer;
    assert.ok(all.every((part) => part.type === "text" || part.type === "thought"));
  });
}
