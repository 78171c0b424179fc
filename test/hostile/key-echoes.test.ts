import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import * as z from "zod";
import { httpModel } from "../../server/models/http-model.ts";
import { collect, definitionAt } from "../../server/models/testing/collect.ts";
import { failureAt } from "../../server/models/testing/failing.ts";
import { delta, finished, rawEndpoint, sendJson, sendStream } from "../../server/models/testing/raw-endpoint.ts";
import json from "./key-echoes.json" with { type: "json" };

const Corpus = z.strictObject({
  key: z.string(),
  echoes: z.array(z.strictObject({ name: z.string(), before: z.string(), form: z.string(), after: z.string() })),
});
const { key, echoes } = Corpus.parse(json);

/**
 * What is shown in the place of the key: where it came in pieces, at most its first 7 characters, and of base64 up to 3
 * characters that also depend on what is before and after it.
 */
const SHOWN = /^.{0,10}\[key\].{0,3}$/s;

const secret = { apiKey: { secret: "mine" } };

type Send = (response: ServerResponse, pieces: readonly string[]) => void;

/** Where in an answer of Chat Completions an endpoint can repeat a key. */
const chat: Readonly<Record<string, Send>> = {
  text: (response, pieces) => sendStream(response, ...pieces.map((content) => delta({ content })), finished),
  refusal: (response, pieces) => sendStream(response, ...pieces.map((refusal) => delta({ refusal })), finished),
  thoughts: (response, pieces) =>
    sendStream(
      response,
      ...pieces.map((piece) => delta({ reasoning_content: piece })),
      delta({ content: "." }),
      finished,
    ),
  "thoughts between tags": (response, pieces) =>
    sendStream(response, ...["<think>", ...pieces, "</think>."].map((content) => delta({ content })), finished),
  "the arguments of a call": (response, pieces) => {
    const part = (fields: object) => delta({ tool_calls: [{ index: 0, ...fields }] });
    const name = part({ id: "call_0", type: "function", function: { name: "note", arguments: "" } });
    sendStream(response, name, ...pieces.map((piece) => part({ function: { arguments: piece } })), finished);
  },
  "the name and id of a call": (response, pieces) => {
    const name = pieces.join("");
    sendStream(
      response,
      delta({ tool_calls: [{ index: 0, id: name, function: { name, arguments: "{}" } }] }),
      finished,
    );
  },
};

/** The same for the Responses API. */
const responses: Readonly<Record<string, Send>> = {
  text: (to, pieces) =>
    sendResponse(
      to,
      pieces.map((piece) => ({ type: "response.output_text.delta", delta: piece })),
    ),
  thoughts: (to, pieces) =>
    sendResponse(
      to,
      pieces.map((piece) => ({ type: "response.reasoning_text.delta", delta: piece })),
    ),
  "a call": (to, pieces) => {
    const all = pieces.join("");
    const item = { type: "function_call", call_id: all, name: all, arguments: all };
    sendResponse(to, [{ type: "response.output_item.done", item }]);
  },
};

const sendResponse = (to: ServerResponse, events: readonly object[]): void =>
  sendStream(to, ...events, { type: "response.completed", response: { status: "completed" } });

/** Everything that the model has passed on, as one text for each place. */
async function passedOn(api: "chat" | "responses", send: Send, pieces: readonly string[]): Promise<readonly string[]> {
  await using endpoint = await rawEndpoint((response) => send(response, pieces));
  const model = httpModel(definitionAt(endpoint.url, { ...secret, api }), { get: async () => key });
  const { parts } = await collect(model);
  const joined = (type: "text" | "thought"): string =>
    parts.flatMap((part) => (part.type === type && "delta" in part ? [part.delta] : [])).join("");
  const calls = parts.flatMap((part) => (part.type === "calls" ? part.calls : []));
  const texts = [
    joined("thought"),
    joined("text"),
    ...calls.flatMap((call) => [call.arguments, call.name, call.id ?? ""]),
  ];
  return texts.filter((text) => text.length > 2);
}

for (const { name, before, form, after } of echoes) {
  const text = before + form + after;
  test(`a key that the endpoint repeats is not passed on: ${name}`, async () => {
    const middle = Math.floor(text.length / 2);
    const splits = [[text], [text.slice(0, middle), text.slice(middle)], [...text]];
    const places = [
      ...Object.entries(chat).map(([place, send]) => ({ api: "chat" as const, place, send })),
      ...Object.entries(responses).map(([place, send]) => ({ api: "responses" as const, place, send })),
    ];
    for (const { api, place, send } of places) {
      for (const pieces of splits) {
        const shown = (await passedOn(api, send, pieces)).filter((passed) => !["call_0", "note"].includes(passed));
        assert.ok(shown.length > 0);
        for (const passed of shown) {
          const where = `${api}, ${place}, ${pieces.length} pieces: ${passed}`;
          assert.ok(passed.startsWith(before) && passed.endsWith(after), where);
          assert.match(passed.slice(before.length, passed.length - after.length), SHOWN, where);
        }
      }
    }
  });

  test(`nor is it in an error: ${name}`, async () => {
    const inBody = await failureAt((to) => sendJson(to, 422, { error: { message: text } }), secret, key);
    const inStream = await failureAt((to) => sendStream(to, { error: { message: text } }), secret, key);
    const asText = await failureAt((to) => to.writeHead(400).end(text), secret, key);
    for (const { error } of [inBody, inStream, asText]) {
      const said = JSON.stringify([error.message, error.data, error.cause ?? null]);
      for (let at = 0; at + 12 <= form.length; at += 1) assert.ok(!said.includes(form.slice(at, at + 12)), said);
    }
  });
}
