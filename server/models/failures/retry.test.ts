import assert from "node:assert/strict";
import { test } from "node:test";
import type { Failure } from "./failure.ts";
import { isRetryable, retryWait } from "./retry.ts";

const refused = (status: number, headers: Readonly<Record<string, string>> = {}): Failure => ({
  kind: "refused",
  status,
  code: "",
  text: "",
  headers,
});

test("the same statuses as in OpenAI's SDK are retried, unless the endpoint says otherwise", () => {
  for (const status of [408, 409, 429, 500, 502, 529]) assert.equal(isRetryable(refused(status)), true, `${status}`);
  for (const status of [400, 401, 403, 404, 413, 422]) assert.equal(isRetryable(refused(status)), false, `${status}`);
  assert.equal(isRetryable(refused(400, { "x-should-retry": "true" })), true);
  assert.equal(isRetryable(refused(429, { "x-should-retry": "false" })), false);
});

test("the wait is the requested one: in milliseconds, in seconds, or until a date", () => {
  assert.equal(retryWait(refused(429, { "retry-after-ms": "1500", "retry-after": "9" }), 1, 0), 1500);
  assert.equal(retryWait(refused(429, { "retry-after": "9.5" }), 1, 0), 9500);
  const now = Date.parse("2026-01-01T00:00:00Z");
  assert.equal(retryWait(refused(503, { "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }), 1, now), 20_000);
  assert.equal(retryWait(refused(503, { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }), 1, now), 0);
});

test("a date is compared with the endpoint's own clock, if the response tells it", () => {
  const headers = { date: "Thu, 01 Jan 2026 00:00:00 GMT", "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" };
  for (const hours of [-5, 0, 5]) {
    const now = Date.parse(headers.date) + hours * 3_600_000;
    assert.equal(retryWait(refused(503, headers), 1, now), 20_000);
  }
});

test("without a requested wait, it doubles from half a second to eight, shortened by at most a quarter", () => {
  for (const [retry, full] of [500, 1000, 2000, 4000, 8000, 8000].entries()) {
    const wait = retryWait(refused(500, { "retry-after": "soon" }), retry + 1, 0) ?? Number.NaN;
    assert.ok(wait > full * 0.75 - 1 && wait <= full, `${wait} for ${full}`);
  }
});

test("there is no wait where a retry cannot help, nor when an endpoint asks for hours", () => {
  assert.equal(retryWait(refused(401), 1, 0), undefined);
  assert.equal(retryWait(refused(429, { "retry-after": "86400" }), 1, 0), undefined);
});
