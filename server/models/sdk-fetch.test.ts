import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { GavelError } from "../../shared/contract/errors.ts";
import type { ModelPart } from "../engine/model.ts";
import { ManualTimers } from "../engine/testing/manual-timers.ts";
import type { EndpointModel } from "./endpoint/endpoint-model.ts";
import type { EndpointAccess } from "./endpoint/permission.ts";
import { httpModel } from "./http-model.ts";
import { NetworkError } from "./network/network-error.ts";
import { send } from "./network/send.ts";
import {
  anthropicAt,
  blockDelta,
  blockStart,
  sendMessage,
  startMessage,
  stopped,
  textBlock,
} from "./testing/anthropic-stream.ts";
import { collect, noKeys, sampleRequest, stillClock, textOfParts } from "./testing/collect.ts";
import { ended, geminiAt, parts, sendChunks } from "./testing/gemini-stream.ts";
import { rawEndpoint, startStream } from "./testing/raw-endpoint.ts";

/** A provider with an SDK: its model at an address, a whole answer, and one that stays in the middle of a thought. */
interface Provider {
  readonly name: string;
  at(url: string): EndpointModel;
  /** An answer whose text is in these pieces, all sent at once. */
  answer(response: ServerResponse, pieces: readonly string[]): void;
  think(response: ServerResponse): void;
}

const PROVIDERS: readonly Provider[] = [
  {
    name: "Anthropic",
    at: anthropicAt,
    answer: (response, pieces) => sendMessage(response, ...textBlock(0, ...pieces), stopped("end_turn")),
    think: (response) =>
      startMessage(
        response,
        blockStart(0, { type: "thinking", thinking: "" }),
        blockDelta(0, { type: "thinking_delta", thinking: "Hm" }),
      ),
  },
  {
    name: "Gemini",
    at: geminiAt,
    answer: (response, pieces) => sendChunks(response, ...pieces.map((text) => parts({ text })), ended()),
    think: (response) => startStream(response, parts({ text: "Hm", thought: true })),
  },
];

for (const { name, at, answer, think } of PROVIDERS) {
  test(`requests of ${name}'s SDK take the user's way through the network`, async () => {
    await using endpoint = await rawEndpoint((response) => answer(response, ["Hi"]));
    const sent: string[] = [];
    const access: EndpointAccess = {
      ...noKeys,
      send: (url, post) => {
        sent.push(url.origin);
        return send(url, post);
      },
    };
    assert.equal((await collect(httpModel(at(endpoint.url), access))).text, "Hi");
    assert.deepEqual(sent, [new URL(endpoint.url).origin]);
    const blocked: EndpointAccess = {
      ...noKeys,
      send: async () => {
        throw new NetworkError({ kind: "proxyRefused", proxy: "proxy.example.com:8080", status: 407 });
      },
    };
    await assert.rejects(
      collect(httpModel(at(endpoint.url), blocked)),
      /^GavelError: The proxy proxy\.example\.com:8080 requires a sign-in \(407\);/,
    );
    assert.equal(endpoint.requests.length, 1);
  });

  test(`nothing is sent to an endpoint with the API of ${name} that the user does not allow`, async () => {
    await using endpoint = await rawEndpoint((response) => answer(response, ["Hi"]));
    const definition = at(endpoint.url.replace("127.0.0.1", "0.0.0.0"));
    await assert.rejects(
      collect(httpModel(definition, noKeys)),
      /Nothing was sent to http:\/\/0\.0\.0\.0:\d+, because you did not allow it/,
    );
    assert.deepEqual(endpoint.requests, []);
  });

  test(`an endpoint with the API of ${name} that is silent in mid-thought is given up, and is closed`, async () => {
    const timers = new ManualTimers();
    await using endpoint = await rawEndpoint(think);
    const arriving = endpoint.next();
    const model = httpModel(at(endpoint.url), noKeys, stillClock(), timers);
    const context = { signal: new AbortController().signal, onRetry() {} };
    const arrived: ModelPart[] = [];
    await assert.rejects(
      async () => {
        for await (const part of model.stream(sampleRequest, context)) {
          arrived.push(part);
          timers.advance(600_000);
        }
      },
      (error) => {
        assert.ok(error instanceof GavelError);
        assert.match(
          error.message,
          /sent no part of an answer for 600 seconds while .*; the text so far is kept, and if the model needs more, raise its `limits\.idleSeconds`/,
        );
        return true;
      },
    );
    await (await arriving).closed;
    assert.deepEqual(arrived, [{ type: "thought", delta: "Hm" }]);
  });

  test(`a reader of ${name} that stops reading closes the connection`, async () => {
    await using endpoint = await rawEndpoint(think);
    const arriving = endpoint.next();
    const context = { signal: new AbortController().signal, onRetry() {} };
    for await (const _ of httpModel(at(endpoint.url), noKeys).stream(sampleRequest, context)) break;
    await (await arriving).closed;
  });

  test(`text of ${name} that arrives at once is one part`, async () => {
    const pieces = Array.from({ length: 200 }, (_, count) => `${count} `);
    await using endpoint = await rawEndpoint((response) => answer(response, pieces));
    const { parts: all } = await collect(httpModel(at(endpoint.url), noKeys));
    assert.equal(textOfParts(all), pieces.join(""));
    assert.ok(all.length < 20, `${all.length} parts`);
  });
}
