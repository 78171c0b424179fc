import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { GavelError } from "../../../shared/contract/errors.ts";
import type { ModelPart } from "../../engine/model.ts";
import { httpModel } from "../http-model.ts";
import { collect, definitionAt, noKeys, sampleRequest, stillClock, textOfParts } from "../testing/collect.ts";
import { failureAt, failureFrom } from "../testing/failing.ts";
import { delta, finished, rawEndpoint, sendJson, sendStream, startStream } from "../testing/raw-endpoint.ts";

const mock = new LLMock({ port: 0, chunkSize: 4 });
before(() => mock.start());
after(() => mock.stop());
beforeEach(() => {
  mock.reset();
});

const secret = { apiKey: { secret: "mine" } };

test("a rate limit is retried after the wait that the endpoint asks for, and each retry is reported", async () => {
  mock.nextRequestError(429, { message: "slow down" });
  mock.onMessage("hello", { content: "at last" });
  const clock = stillClock();
  const { text, retries } = await collect(httpModel(definitionAt(`${mock.url}/v1`), noKeys, clock));
  assert.equal(text, "at last");
  // aimock asks for one second.
  assert.deepEqual(retries, [
    { attempt: 1, waitMs: 1000, status: 429, reason: `${new URL(mock.url).host} is rate limiting (429)` },
  ]);
  assert.deepEqual(clock.waits, [1000]);
  assert.equal(mock.getRequests().length, 2);
});

test("a retry is reported before its wait starts", async () => {
  const order: string[] = [];
  await using endpoint = await rawEndpoint((response, count) =>
    count === 1 ? sendJson(response, 500, {}) : sendStream(response, delta({ content: "ok" }), finished),
  );
  const clock = { now: () => 0, wait: async () => void order.push("waited") };
  const { signal } = new AbortController();
  const context = { signal, onRetry: () => void order.push("reported") };
  for await (const _ of httpModel(definitionAt(endpoint.url), noKeys, clock).stream(sampleRequest, context)) {
    order.push("answered");
  }
  assert.deepEqual(order, ["reported", "waited", "answered"]);
});

test("a server error is retried twice with a growing wait, then reported with what to do", async () => {
  const { error, retries, asked, host } = await failureAt((response) =>
    sendJson(response, 503, { error: { message: "overloaded" } }),
  );
  assert.equal(asked, 3);
  assert.deepEqual(
    retries.map(({ attempt, status }) => ({ attempt, status })),
    [
      { attempt: 1, status: 503 },
      { attempt: 2, status: 503 },
    ],
  );
  assert.equal(error.message, `${host} failed on gpt-test (503) after 3 attempts ("overloaded"); try again later.`);
  assert.equal(error.data["status"], 503);
  assert.equal(error.data["retryable"], true);
});

test("maxRetries 0 asks once", async () => {
  const { asked, retries } = await failureAt((response) => sendJson(response, 500, {}), { maxRetries: 0 });
  assert.equal(asked, 1);
  assert.deepEqual(retries, []);
});

test("a rate limit that persists is reported as one", async () => {
  const { error, host } = await failureAt((response) => sendJson(response, 429, { error: { message: "Too many." } }));
  assert.equal(
    error.message,
    `${host} is rate limiting gpt-test after 3 attempts ("Too many."); wait a while, then run the team again.`,
  );
});

test("the error for a refused key names the secret to store, and there is no retry", async () => {
  const { error, asked, host } = await failureAt((response) => sendJson(response, 401, {}), secret);
  assert.equal(asked, 1);
  assert.equal(error.message, `${host} refused the key "mine" for gpt-test (401); store a valid key.`);
  assert.deepEqual(
    [error.data["status"], error.data["retryable"], error.data["fix"], error.data["secret"]],
    [401, false, "apiKey", "mine"],
  );
});

test("when an endpoint requires a key and none is named, the error says where to name one", async () => {
  const { error, host } = await failureAt((response) => sendJson(response, 401, {}));
  assert.equal(
    error.message,
    `${host} requires a key for gpt-test (401) and the team file names none; give the model an \`apiKey\` there.`,
  );
  assert.equal(error.data["fix"], "teamFile");
});

test("the error for an unknown model names it", async () => {
  const body = { error: { message: "No such model.", code: "model_not_found" } };
  const { error, host } = await failureAt((response) => sendJson(response, 404, body));
  assert.equal(
    error.message,
    `${host} has no model "gpt-test" ("No such model."); correct \`model\` in the team file.`,
  );
});

test("a 404 without details may be due to the address or the model", async () => {
  const { error } = await failureAt((response) => response.writeHead(404).end());
  assert.match(error.message, /did not find the address or the model "gpt-test" \(404\); correct `baseUrl` or `model`/);
});

test("the error for a conversation that is too long names the context", async () => {
  const body = { error: { message: "too long", code: "context_length_exceeded" } };
  const { error, host } = await failureAt((response) => sendJson(response, 400, body));
  assert.match(error.message, new RegExp(`^The conversation is too long for gpt-test at ${host}; give .* \`context\``));
});

test("any other refusal includes the endpoint's text, shortened, on one line", async () => {
  const body = { error: { message: `Bad\ntemperature ${"x ".repeat(500)}` } };
  const { error } = await failureAt((response) => sendJson(response, 422, body));
  assert.match(
    error.message,
    /refused the request for gpt-test \(422\) \("Bad temperature .*…"\); correct the model's/,
  );
  assert.ok(error.message.length < 400);
});

test("an account without quota is reported as such", async () => {
  const body = { error: { message: "You exceeded your current quota", code: "insufficient_quota" } };
  const { error } = await failureAt((response) => sendJson(response, 429, body, { "x-should-retry": "false" }));
  assert.match(error.message, /has no quota left for gpt-test; add credit/);
});

test("an endpoint that is down is reported with its address, after the retries", async () => {
  const { url, host } = await (async () => {
    await using endpoint = await rawEndpoint(() => {});
    return endpoint;
  })();
  const { error, retries } = await failureFrom(url);
  assert.equal(retries.length, 2);
  assert.equal(
    error.message,
    `Could not connect to ${host} for gpt-test (ECONNREFUSED) after 3 attempts; start the endpoint, or correct its address (\`baseUrl\`) in the team file.`,
  );
  assert.equal(error.data["fix"], "endpoint");
  assert.equal(error.data["baseUrl"], url);
});

test("a connection that closes before an answer is reported as such", async () => {
  const { error, asked } = await failureAt((response) => response.destroy());
  assert.equal(asked, 3);
  assert.match(error.message, /closed the connection before gpt-test answered after 3 attempts/);
});

test("a stream that breaks before any text is retried", async () => {
  await using endpoint = await rawEndpoint((response, count) => {
    if (count > 1) return sendStream(response, delta({ content: "whole" }), finished);
    startStream(response, delta({ role: "assistant", content: "" }));
    response.destroy();
  });
  const { text, retries } = await collect(httpModel(definitionAt(endpoint.url), noKeys, stillClock()));
  assert.equal(text, "whole");
  assert.match(retries[0]?.reason ?? "", /closed the connection/);
});

test("a stream that breaks after some text is reported, the text kept, and not retried", async () => {
  await using endpoint = await rawEndpoint((response) => startStream(response, delta({ content: "half of" })));
  const { signal } = new AbortController();
  const parts: ModelPart[] = [];
  const asking = (async () => {
    for await (const part of httpModel(definitionAt(endpoint.url), noKeys, stillClock()).stream(sampleRequest, {
      signal,
      onRetry: () => assert.fail("It was asked again."),
    })) {
      parts.push(part);
      endpoint.cut();
    }
  })();
  await assert.rejects(asking, (error) => {
    assert.ok(error instanceof GavelError);
    assert.match(error.message, /closed the connection while gpt-test was answering; the text so far is kept/);
    assert.equal(error.data["retryable"], false);
    return true;
  });
  assert.equal(textOfParts(parts), "half of");
});

test("a stream that ends without a finish reason is reported as cut off", async () => {
  const { error, parts } = await failureAt((response) => {
    startStream(response, delta({ content: "half of" }));
    response.end();
  });
  assert.match(error.message, /closed the connection while gpt-test was answering/);
  assert.equal(textOfParts(parts), "half of");
});

test("an empty answer that ends with [DONE] is retried", async () => {
  const { error, asked } = await failureAt((response) => sendStream(response, delta({ role: "assistant" })));
  assert.equal(asked, 3);
  assert.match(error.message, /closed the connection before gpt-test answered/);
});

test("an event that is not JSON is reported as such", async () => {
  const { error, parts } = await failureAt((response) => sendStream(response, delta({ content: "a" }), "{oops"));
  assert.match(error.message, /sent an event that is not JSON while gpt-test was answering/);
  assert.equal(textOfParts(parts), "a");
});

test("an event that is JSON but not a chunk is reported as such", async () => {
  const { error } = await failureAt((response) => sendStream(response, "null"));
  assert.match(error.message, /sent an event that is not part of an answer for gpt-test after 3 attempts/);
});

test("for a web page instead of an answer, the error points to the address", async () => {
  const { error } = await failureAt((response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Sign in</body></html>"),
  );
  assert.match(error.message, /sent a web page instead of an answer for gpt-test .*`baseUrl`.* OpenAI-compatible/);
});

test("an answer that is not streamed is reported as such", async () => {
  const { error } = await failureAt((response) =>
    sendJson(response, 200, { choices: [{ message: { content: "x" } }] }),
  );
  assert.match(error.message, /sent JSON instead of a stream of events/);
});

test("an answer that is not HTTP is reported as such", async () => {
  const { error } = await failureAt((response) => response.socket?.end("SSH-2.0-OpenSSH\r\n"));
  assert.match(error.message, /sent something that is not HTTP/);
});

test("an error within the stream is reported with its text; before any answer text it is retried where that may help", async () => {
  const late = await failureAt((response) =>
    sendStream(response, delta({ content: "a" }), { error: { message: "GPU lost" } }),
  );
  assert.match(late.error.message, /reported an error while gpt-test was answering \("GPU lost"\)/);
  assert.equal(late.error.data["retryable"], false);
  const early = await failureAt((response) => sendStream(response, { error: { message: "Busy", code: 503 } }));
  assert.equal(early.asked, 3);
  assert.match(early.error.message, /reported an error for gpt-test after 3 attempts \("Busy"\)/);
  const vllm = await failureAt((response) => sendStream(response, { object: "error", message: "Bad prompt" }));
  assert.equal(vllm.asked, 1);
  assert.match(vllm.error.message, /\("Bad prompt"\)/);
});

test("an error within the stream is found as a string, and beside choices", async () => {
  const ollama = await failureAt((response) => sendStream(response, { error: "model runner has stopped" }));
  assert.match(ollama.error.message, /reported an error for gpt-test \("model runner has stopped"\)/);
  const choices = [{ delta: { content: "" }, finish_reason: "error" }];
  const openRouter = await failureAt((response) =>
    sendStream(response, delta({ content: "a" }), { error: { code: 502, message: "Gone" }, choices }),
  );
  assert.match(openRouter.error.message, /reported an error while .* \("Gone"\)/);
});

test("the text of a refusal is found wherever an endpoint puts it", async () => {
  const vllm = await failureAt((response) => sendJson(response, 400, { object: "error", message: "Bad top_k" }));
  assert.match(vllm.error.message, /\("Bad top_k"\)/);
  const fastApi = await failureAt((response) => sendJson(response, 422, { detail: [{ msg: "extra fields" }] }));
  assert.match(fastApi.error.message, /extra fields/);
  const ollama = await failureAt((response) => sendJson(response, 400, { error: "invalid tool" }));
  assert.match(ollama.error.message, /\("invalid tool"\)/);
});

test("an answer that the content filter withheld entirely is reported as such", async () => {
  const { error } = await failureAt((response) =>
    sendStream(response, { choices: [{ delta: {}, finish_reason: "content_filter" }] }),
  );
  assert.match(error.message, /content filter of .* withheld the whole answer/);
});
