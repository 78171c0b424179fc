import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelPart } from "../../engine/model.ts";
import { httpModel } from "../http-model.ts";
import {
  anthropicAt,
  blockDelta,
  blockStart,
  blockStop,
  callBlock,
  sendMessage,
  startMessage,
  stopped,
  textBlock,
  thinkingBlock,
} from "../testing/anthropic-stream.ts";
import { collect, noKeys, sampleRequest, stillClock, textOfParts } from "../testing/collect.ts";
import { rawEndpoint, sendJson, sendWithoutEnd } from "../testing/raw-endpoint.ts";

const withKey = { get: async () => "sk-ant-secret-key-1234567890" };

test("text streams as it comes, and the request has the key, the version and nothing about this machine", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendMessage(response, ...textBlock(0, "Hello", " there"), stopped("end_turn")),
  );
  const definition = anthropicAt(endpoint.url, { apiKey: { secret: "mine" } });

  const { parts, text } = await collect(httpModel(definition, withKey));

  assert.equal(text, "Hello there");
  assert.deepEqual(parts.at(-1), { type: "usage", usage: { prompt: 10, completion: 5, total: 15 } });
  const [request] = endpoint.requests;
  assert.equal(request?.url, "/v1/messages");
  const { host, connection, "content-length": _, ...headers } = request.headers;
  assert.deepEqual(headers, {
    accept: "application/json",
    "anthropic-version": "2026-10-21",
    authorization: `Bearer ${await withKey.get()}`,
    "content-type": "application/json",
    "user-agent": "Gavel",
  });
});

test("an endpoint of one's own is called without a key, wherever the environment has one", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendMessage(response, ...textBlock(0, "Hi"), stopped("end_turn")),
  );
  const before = { ...process.env };
  Object.assign(process.env, {
    ANTHROPIC_API_KEY: "sk-env",
    ANTHROPIC_AUTH_TOKEN: "token-env",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    ANTHROPIC_CUSTOM_HEADERS: "x-mine: secret\nanthropic-beta: env-beta\nauthorization: Bearer env-auth",
    ANTHROPIC_LOG: "debug",
  });
  try {
    assert.equal((await collect(httpModel(anthropicAt(endpoint.url), noKeys))).text, "Hi");
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  }
  const sent = JSON.stringify(endpoint.requests[0]?.headers);
  for (const secret of ["sk-env", "token-env", "x-mine", "env-beta", "x-api-key", "authorization", "stainless"]) {
    assert.ok(!sent.toLowerCase().includes(secret), secret);
  }
});

test("thoughts stream as thoughts, block by block, and are kept signed with the calls that they led to", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendMessage(
      response,
      ...thinkingBlock(0, "Let me see.", "c2ln"),
      blockStart(1, { type: "redacted_thinking", data: "aGlkZGVu" }),
      blockStop(1),
      ...textBlock(2, "I look."),
      ...thinkingBlock(3, "Two files.", "c2lnMg=="),
      ...callBlock(4, "toolu_1", "readFile", '{"path":', '"a"}'),
      ...callBlock(5, "toolu_2", "readFile", ""),
      stopped("tool_use"),
    ),
  );

  const { parts } = await collect(httpModel(anthropicAt(endpoint.url), noKeys));

  const streamed = parts.filter((part) => part.type !== "usage" && part.type !== "calls");
  assert.deepEqual(streamed, [
    { type: "thought", delta: "Let me see." },
    { type: "text", delta: "I look." },
    { type: "thought", delta: "\n\nTwo files." },
  ]);
  const calls = parts.find((part) => part.type === "calls")?.calls ?? [];
  assert.deepEqual(
    calls.map(({ signedThoughts, ...call }) => call),
    [
      { id: "toolu_1", name: "readFile", arguments: '{"path":"a"}' },
      { id: "toolu_2", name: "readFile", arguments: "{}" },
    ],
  );
  assert.deepEqual(JSON.parse(calls[0]?.signedThoughts ?? ""), {
    provider: "anthropic",
    model: "claude-test",
    beforeText: [
      { type: "thinking", thinking: "Let me see.", signature: "c2ln" },
      { type: "redacted_thinking", data: "aGlkZGVu" },
    ],
    afterText: [{ type: "thinking", thinking: "Two files.", signature: "c2lnMg==" }],
  });
  assert.equal(calls[1]?.signedThoughts, undefined);
});

for (const name of ["Authorization", "authorization"]) {
  test(`a key of the environment's custom headers is never sent in place of the model's own (${name})`, async () => {
    await using endpoint = await rawEndpoint((response) =>
      sendMessage(response, ...textBlock(0, "Hi"), stopped("end_turn")),
    );
    process.env["ANTHROPIC_CUSTOM_HEADERS"] = `${name}: Bearer env-auth`;
    try {
      await collect(httpModel(anthropicAt(endpoint.url, { apiKey: { secret: "mine" } }), withKey));
    } finally {
      delete process.env["ANTHROPIC_CUSTOM_HEADERS"];
    }
    assert.equal(endpoint.requests[0]?.headers["authorization"], `Bearer ${await withKey.get()}`);
  });
}

test("a text with separators of lines and paragraphs arrives as it was written", async () => {
  const written = "one\u2028two\u2029three\u0085four\r\nfive";
  await using endpoint = await rawEndpoint((response) =>
    sendMessage(response, ...textBlock(0, written), ...callBlock(1, "a", "run", `"${written.slice(0, 9)}"`)),
  );
  const { parts, text } = await collect(httpModel(anthropicAt(endpoint.url), noKeys));
  assert.equal(text, written);
  const calls = parts.find((part) => part.type === "calls")?.calls;
  assert.equal(calls?.[0]?.arguments, `"${written.slice(0, 9)}"`);
});

test("an answer whose events have no names, and data of several lines, is read by its data", async () => {
  const events = [...textBlock(0, "Hello"), stopped("end_turn"), { type: "message_stop" }];
  await using endpoint = await rawEndpoint((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const data = events.map((event) => JSON.stringify(event, null, 1).replaceAll("\n", "\ndata: "));
    response.end(data.map((one) => `data: ${one}\n\n`).join(""));
  });
  assert.equal((await collect(httpModel(anthropicAt(endpoint.url), noKeys))).text, "Hello");
  const overloaded = JSON.stringify(refusal("overloaded_error", "Overloaded"));
  for (const name of ["", "event: message\n", "event: message_delta\n"]) {
    const failed = await failureOf((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${name}data: ${overloaded}\n\n`);
    });
    assert.match(failed.message, /^HOST reported an error for claude-test after 3 attempts \("Overloaded"\)/, name);
  }
});

test("calls under one index are all kept, and what comes after a call's end changes nothing", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendMessage(
      response,
      ...thinkingBlock(0, "Hm.", "c2ln"),
      blockStop(0),
      ...callBlock(0, "a", "run", '{"n":1}'),
      blockDelta(0, { type: "input_json_delta", partial_json: "}" }),
      blockStart(0, { type: "tool_use", id: "b", name: "run", input: {} }),
      blockDelta(0, { type: "input_json_delta", partial_json: '{"n":2}' }),
      ...callBlock(0, "c", "run", '{"n":3}'),
      stopped("tool_use"),
    ),
  );
  const { parts } = await collect(httpModel(anthropicAt(endpoint.url), noKeys));
  const calls = parts.find((part) => part.type === "calls")?.calls ?? [];
  assert.deepEqual(
    calls.map(({ id, arguments: json }) => [id, json]),
    [
      ["a", '{"n":1}'],
      ["b", '{"n":2}'],
      ["c", '{"n":3}'],
    ],
  );
  const signed = JSON.parse(calls[0]?.signedThoughts ?? "{}") as { readonly beforeText?: unknown };
  assert.deepEqual(signed.beforeText, [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }]);
});

test("tokens of the cache count as those of the prompt, each at its price", async () => {
  const usage = {
    input_tokens: 100,
    cache_read_input_tokens: 2000,
    cache_creation_input_tokens: 400,
    output_tokens: 50,
  };
  await using endpoint = await rawEndpoint((response) =>
    sendMessage(response, ...textBlock(0, "Hi"), stopped("end_turn", usage)),
  );
  const usageAt = async (price: { prompt: number; completion: number; cachedPrompt?: number; cacheWrite?: number }) => {
    const { parts } = await collect(httpModel(anthropicAt(endpoint.url, { price }), noKeys));
    const last = parts.at(-1);
    return last?.type === "usage" ? last.usage : undefined;
  };

  const listed = await usageAt({ prompt: 10, completion: 100, cachedPrompt: 2, cacheWrite: 20 });
  assert.deepEqual(listed, {
    prompt: 2500,
    completion: 50,
    total: 2550,
    cost: (100 * 10 + 2000 * 2 + 400 * 20 + 50 * 100) / 1e6,
  });
  const usual = await usageAt({ prompt: 10, completion: 100 });
  assert.equal(usual?.cost, (100 * 10 + 2000 * 1 + 400 * 12.5 + 50 * 100) / 1e6);
});

/** What the user reads when the endpoint answers so, and what had arrived by then. */
async function failureOf(answer: Parameters<typeof rawEndpoint>[0], more: Parameters<typeof anthropicAt>[1] = {}) {
  await using endpoint = await rawEndpoint(answer);
  const clock = stillClock();
  const model = httpModel(anthropicAt(endpoint.url, { apiKey: { secret: "mine" }, ...more }), withKey, clock);
  const parts: ModelPart[] = [];
  const context = { signal: new AbortController().signal, onRetry() {} };
  try {
    for await (const part of model.stream(sampleRequest, context)) parts.push(part);
  } catch (error) {
    const message = error instanceof Error ? error.message.replaceAll(endpoint.host, "HOST") : "";
    return { message, text: textOfParts(parts), requests: endpoint.requests.length, waits: clock.waits };
  }
  throw new Error("It did not fail.");
}

const refusal = (type: string, message: string) => ({ type: "error", error: { type, message }, request_id: "req_1" });

const REFUSALS = [
  [
    401,
    "authentication_error",
    "invalid x-api-key",
    1,
    'HOST refused the key "mine" for claude-test (401) ("invalid x-api-key"); store a valid key.',
  ],
  [
    404,
    "not_found_error",
    "model: claude-test",
    1,
    'HOST has no model "claude-test" ("model: claude-test"); correct `model` in the team file.',
  ],
  [
    400,
    "invalid_request_error",
    "temperature: too high",
    1,
    'HOST refused the request for claude-test (400) ("temperature: too high"); correct the model\'s settings in the team file.',
  ],
  [
    400,
    "invalid_request_error",
    "prompt is too long: 9 tokens > 8 maximum",
    1,
    "The conversation is too long for claude-test at HOST; give the participant a shorter `context` in the team file, or a model with a larger context window.",
  ],
  [
    400,
    "invalid_request_error",
    "Your credit balance is too low to access the API.",
    1,
    "The account at HOST has no quota left for claude-test; add credit there, or use a different key or model.",
  ],
  [
    429,
    "rate_limit_error",
    "Slow down",
    3,
    'HOST is rate limiting claude-test after 3 attempts ("Slow down"); wait a while, then run the team again.',
  ],
  [503, "api_error", "Down", 3, 'HOST failed on claude-test (503) after 3 attempts ("Down"); try again later.'],
  [
    529,
    "overloaded_error",
    "Overloaded",
    3,
    'HOST is overloaded after 3 attempts ("Overloaded"); wait a while, then run the team again.',
  ],
] as const;

for (const [status, type, said, attempts, sentence] of REFUSALS) {
  test(`${status} ${said} is one sentence with what to do, after ${attempts} attempts`, async () => {
    const headers = status === 429 ? { "retry-after": "7" } : {};
    const failed = await failureOf((response) => sendJson(response, status, refusal(type, said), headers));
    assert.equal(failed.message, sentence);
    assert.equal(failed.requests, attempts);
    if (status === 429) assert.deepEqual(failed.waits, [7000, 7000]);
  });
}

test("an error in the stream keeps the text so far, and is not asked for again", async () => {
  const failed = await failureOf((response) => {
    startMessage(
      response,
      blockStart(0, { type: "text", text: "" }),
      blockDelta(0, { type: "text_delta", text: "Once" }),
    );
    response.end(`event: error\ndata: ${JSON.stringify(refusal("overloaded_error", "Overloaded"))}\n\n`);
  });
  assert.deepEqual([failed.text, failed.requests], ["Once", 1]);
  assert.equal(
    failed.message,
    'HOST reported an error while claude-test was answering ("Overloaded"); the text so far is kept, and running the team again continues from there.',
  );
});

test("an overload reported before any text is retried", async () => {
  const failed = await failureOf((response) => {
    startMessage(response);
    response.end(`event: error\ndata: ${JSON.stringify(refusal("overloaded_error", "Overloaded"))}\n\n`);
  });
  assert.equal(failed.requests, 3);
});

test("a connection that breaks in mid-answer, or an answer without its end, keeps the text so far", async () => {
  for (const end of [(r: { destroy(): void }) => r.destroy(), (r: { end(): void }) => r.end()]) {
    const failed = await failureOf((response) => {
      startMessage(response, ...textBlock(0, "Once"));
      response.write("event: ping\ndata: {}\n\n", () => end(response));
    });
    assert.equal(failed.text, "Once");
    assert.match(
      failed.message,
      /^HOST closed the connection while claude-test was answering; the text so far is kept/,
    );
  }
});

test("an answer that stops at a limit or is refused is not taken for a complete one", async () => {
  const stop = (reason: string, ...events: Parameters<typeof startMessage>[1][]) =>
    failureOf((response) => sendMessage(response, ...events, stopped(reason)));
  const limited = await stop("max_tokens", ...textBlock(0, "Once"));
  assert.equal(limited.text, "Once");
  assert.equal(
    limited.message,
    "claude-test at HOST reached the most tokens of one answer before its end; the text so far is kept, and running the team again continues from there; raise `maxTokens` in the team file, or ask for less.",
  );
  assert.match(
    (await stop("model_context_window_exceeded", ...textBlock(0, "Once"))).message,
    /shorter `context` in the team file\.$/,
  );
  assert.equal(
    (await stop("refusal")).message,
    "The content filter of HOST withheld the whole answer of claude-test; rephrase the task.",
  );
  const refused = await stop("refusal", ...textBlock(0, "Once"));
  assert.equal(refused.text, "Once");
  assert.equal(
    refused.message,
    "HOST withheld the rest of the answer of claude-test; the text so far is kept; rephrase the task.",
  );
});

test("what is no answer of Anthropic's API is said to be none", async () => {
  const page = await failureOf((response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"));
  assert.match(page.message, /^HOST sent a web page instead of an answer .* is that of Anthropic's API\.$/);
  const broken = await failureOf((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end("event: message_start\ndata: {\n\n");
  });
  assert.match(broken.message, /^HOST sent an event that is not JSON /);
});

test("an answer without an end is given up at the limits of its definition", async () => {
  const endless = await failureOf(sendWithoutEnd, { limits: { eventBytes: 50_000 }, maxRetries: 0 });
  assert.match(endless.message, /^HOST sent 50,000 bytes without an event .*`limits\.eventBytes` in the team file\.$/);
});

test("a redirect to another origin is not followed", async () => {
  const failed = await failureOf((response) =>
    response.writeHead(307, { location: "http://example.com/v1/messages" }).end(),
  );
  assert.equal(failed.requests, 1);
  assert.match(failed.message, /^HOST redirects to http:\/\/example\.com, where nothing was sent;/);
});

test("the key is redacted where the endpoint repeats it: in text, thoughts and calls", async () => {
  const key = await withKey.get();
  await using endpoint = await rawEndpoint((response) =>
    sendMessage(
      response,
      ...thinkingBlock(0, `It is ${key}.`, "c2ln"),
      ...textBlock(1, `Your key is ${key.slice(0, 12)}`, `${key.slice(12)}.`),
      ...callBlock(2, "toolu_1", "run", JSON.stringify({ key })),
      stopped("tool_use"),
    ),
  );
  const { parts } = await collect(httpModel(anthropicAt(endpoint.url, { apiKey: { secret: "mine" } }), withKey));
  assert.ok(!JSON.stringify(parts).includes(key));
});

test("the key is redacted in errors that repeat it, whether they come at once or within the stream", async () => {
  const repeated = refusal("invalid_request_error", `No: ${await withKey.get()} (it is wrong)`);
  const failures = [
    await failureOf((response) => sendJson(response, 400, repeated)),
    await failureOf((response) => {
      startMessage(response);
      response.end(`event: error\ndata: ${JSON.stringify(repeated)}\n\n`);
    }),
  ];
  for (const { message } of failures) assert.match(message, /\("No: \[key\] \(it is wrong\)"\)/);
});

for (const [when, ...events] of [
  ["before anything has come"],
  [
    "in mid-thought",
    blockStart(0, { type: "thinking", thinking: "" }),
    blockDelta(0, { type: "thinking_delta", thinking: "Hm" }),
  ],
  ["in mid-text", blockStart(0, { type: "text", text: "" }), blockDelta(0, { type: "text_delta", text: "Hm" })],
  [
    "in mid-call",
    blockStart(0, { type: "tool_use", id: "a", name: "run", input: {} }),
    blockDelta(0, { type: "input_json_delta", partial_json: "{" }),
  ],
] as const) {
  test(`an abort ${when} closes the connection, and the answer ends without an error`, async () => {
    await using endpoint = await rawEndpoint((response) => {
      startMessage(response, ...events);
    });
    const aborter = new AbortController();
    const arriving = endpoint.next();
    const ended = collect(httpModel(anthropicAt(endpoint.url), noKeys), sampleRequest, aborter.signal);
    const received = await arriving;
    setImmediate(() => aborter.abort());
    await received.closed;
    const { parts } = await ended;
    assert.ok(parts.every((part) => part.type === "text" || part.type === "thought"));
  });
}
