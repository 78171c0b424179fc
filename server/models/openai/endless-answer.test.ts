import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import type { ModelPart } from "../../engine/model.ts";
import { ManualTimers } from "../../engine/testing/manual-timers.ts";
import { httpModel } from "../http-model.ts";
import { definitionAt, noKeys, sampleRequest, stillClock, textOfParts } from "../testing/collect.ts";
import { failureAt } from "../testing/failing.ts";
import { delta, finished, rawEndpoint, startStream } from "../testing/raw-endpoint.ts";

const context = { signal: new AbortController().signal, onRetry() {} };

/** Sends these pieces again and again until the connection is closed; a minute passes after each. */
function drip(response: ServerResponse, timers: ManualTimers, pieces: readonly string[]): void {
  let at = 0;
  const timer = setInterval(() => {
    response.write(pieces[at++ % pieces.length] ?? "");
    timers.advance(60_000);
  }, 20);
  response.on("close", () => clearInterval(timer));
}

/** Sends these bytes as fast as they are read until the connection is closed. */
function flood(response: ServerResponse, piece: string): void {
  const bytes = Buffer.from(piece.repeat(10_000));
  const send = (): void => {
    while (!response.destroyed && response.write(bytes));
  };
  response.on("drain", send);
  send();
}

const NOTHING: Readonly<Record<string, readonly string[]>> = {
  comments: [": waiting\n\n"],
  "white space": ["\n"],
  "events without data": ["data:\n\n"],
  "events without content": ['data: {"choices":[{"index":0,"delta":{}}]}\n\n', 'data: {"choices":[]}\n\n'],
  "one line that never ends": ["data: x", "x"],
};

for (const [what, pieces] of Object.entries(NOTHING)) {
  for (const first of ["", "Hello"]) {
    test(`${what} after "${first}" are not an answer: the request is given up after ten minutes`, async () => {
      const timers = new ManualTimers();
      const opened = Promise.withResolvers<ServerResponse>();
      await using endpoint = await rawEndpoint((response) => {
        startStream(response, ...(first === "" ? [] : [delta({ content: first })]));
        opened.resolve(response);
        if (first === "") drip(response, timers, pieces);
      });
      const model = httpModel(definitionAt(endpoint.url), noKeys, stillClock(), timers);
      const parts: ModelPart[] = [];
      const read = async (): Promise<void> => {
        for await (const part of model.stream(sampleRequest, context)) {
          parts.push(part);
          drip(await opened.promise, timers, pieces);
        }
      };
      await assert.rejects(read, {
        message: /sent no part of an answer for 600 seconds .*raise its `limits\.idleSeconds`/,
      });
      assert.equal(textOfParts(parts), first);
      assert.equal(endpoint.requests.length, 1);
      await endpoint.requests[0]?.closed;
    });
  }
}

for (const [what, piece] of [
  ["lines of an event without its end", "data: x\n"],
  ["white space", "\n"],
  ["comments", ": x\n"],
] as const) {
  test(`${what} without end are given up after a number of bytes`, async () => {
    const { error, asked } = await failureAt(
      (response) => {
        startStream(response);
        flood(response, piece);
      },
      { limits: { eventBytes: 300_000 } },
    );
    assert.equal(asked, 1);
    assert.match(error.message, /sent 300,000 bytes without an event for gpt-test; .*`limits\.eventBytes`/);
  });
}

test("events without content and without end are given up after a number of bytes", async () => {
  const { error } = await failureAt(
    (response) => {
      startStream(response);
      flood(response, 'data: {"choices":[]}\n\n');
    },
    { limits: { answerBytes: 1_000_000 } },
  );
  assert.match(error.message, /sent an answer of more than 1,000,000 bytes for gpt-test; .*`limits\.answerBytes`/);
});

for (const status of [302, 400, 500]) {
  test(`the body of an error without end is not waited for: ${status}`, async () => {
    const { error } = await failureAt(
      (response) => {
        response.writeHead(status, { "content-type": "text/plain" });
        flood(response, "No. ");
      },
      { maxRetries: 0 },
    );
    assert.match(error.message, new RegExp(`${status}`));
  });
}

test("an error whose JSON is nested deep is an error of the endpoint", async () => {
  const body = `{"error":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
  const { error } = await failureAt((response) => response.writeHead(400).end(body));
  assert.equal(error.data["status"], 400);
  assert.doesNotMatch(error.message, /call stack/);
});

const thought = {
  chat: () => delta({ reasoning_content: "Hm. " }),
  responses: () => ({ type: "response.reasoning_text.delta", delta: "Hm. " }),
};
const end = { chat: finished, responses: { type: "response.completed", response: {} } };
const NINE_MINUTES = 9 * 60_000;

for (const api of ["chat", "responses"] as const) {
  test(`a model that sends a thought every nine minutes for an hour is waited for: ${api}`, async () => {
    const timers = new ManualTimers();
    const opened = Promise.withResolvers<ServerResponse>();
    await using endpoint = await rawEndpoint((response) => {
      startStream(response, thought[api]());
      opened.resolve(response);
    });
    const model = httpModel(definitionAt(endpoint.url, { api }), noKeys, stillClock(), timers);
    const parts: ModelPart[] = [];
    for await (const part of model.stream(sampleRequest, context)) {
      parts.push(part);
      const response = await opened.promise;
      timers.advance(NINE_MINUTES);
      if (parts.length === 7) response.end(`data: ${JSON.stringify(end[api])}\n\n`);
      else response.write(`: still thinking\n\ndata: ${JSON.stringify(thought[api]())}\n\n`);
    }
    assert.deepEqual(parts, Array(7).fill({ type: "thought", delta: "Hm. " }));
    assert.equal(timers.pending, 0);
  });
}
