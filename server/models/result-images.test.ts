import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextItem, ModelRequest } from "../engine/model.ts";
import { anthropicRequest } from "./anthropic/anthropic-request.ts";
import { clientMessages } from "./client/client-messages.ts";
import { geminiRequest } from "./gemini/gemini-request.ts";
import { httpModel } from "./http-model.ts";
import { chatRequest } from "./openai/chat/chat-request.ts";
import { responsesRequest } from "./openai/responses/responses-request.ts";
import { anthropicAt } from "./testing/anthropic-stream.ts";
import { collect, definitionAt, noKeys, stillClock } from "./testing/collect.ts";
import { geminiAt } from "./testing/gemini-stream.ts";
import { delta, finished, rawEndpoint, sendJson, sendStream } from "./testing/raw-endpoint.ts";

const uri = "data:image/png;base64,iVBORw0KGgo=";
const output = {
  content: [
    { type: "text", text: "A chart" },
    { type: "image", uri },
  ],
};
const note = "A chart\n[Image: image/png]";
const call = (ref: string) => ({ ref, name: "readFile", input: { path: `${ref}.png` } });
const result = (ref: string, value: unknown): ContextItem => ({
  role: "tool",
  ref,
  name: "readFile",
  output: value,
  isError: false,
});
const items: readonly ContextItem[] = [
  { role: "assistant", content: "", calls: [call("a"), call("b")] },
  result("a", output),
  result("b", "text"),
];
const request: ModelRequest = { participant: "ann", instructions: "", items, tools: [] };
const openai = { provider: "openai", model: "gpt-test" } as const;
const introduction = "[The images in the result of readFile:]";

test("Chat Completions gets the images of results after the last of them", () => {
  assert.deepEqual(chatRequest(openai, request).messages.slice(1), [
    { role: "tool", tool_call_id: "a", content: note },
    { role: "tool", tool_call_id: "b", content: "text" },
    {
      role: "user",
      content: [
        { type: "text", text: introduction },
        { type: "image_url", image_url: { url: uri } },
      ],
    },
  ]);
});

test("the Responses API gets them in the result", () => {
  const { input } = responsesRequest(openai, request);
  assert.deepEqual(Array.isArray(input) && input.at(-2), {
    type: "function_call_output",
    call_id: "a",
    output: [
      { type: "input_text", text: note },
      { type: "input_image", image_url: uri, detail: "auto" },
    ],
  });
});

test("Anthropic gets them in the result", () => {
  const { messages } = anthropicRequest(anthropicAt("http://127.0.0.1/"), request);
  const [block] = Array.isArray(messages.at(-1)?.content) ? (messages.at(-1)?.content ?? []) : [];
  assert.deepEqual(block, {
    type: "tool_result",
    tool_use_id: "a",
    content: [
      { type: "text", text: note },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
    ],
  });
});

test("Gemini gets them after the results", () => {
  const { contents } = geminiRequest(geminiAt("http://127.0.0.1"), request);
  const last = contents.at(-1);
  assert.deepEqual(typeof last === "object" && "parts" in last && last.parts?.slice(2), [
    { text: introduction },
    { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
  ]);
});

test("a model of the client gets them beside the result", () => {
  const { content = [] } = clientMessages(request).at(-1) ?? {};
  assert.deepEqual(content.slice(0, 2), [
    { type: "result", id: "a", text: note, isError: false },
    { type: "image", uri },
  ]);
});

test("a model that reads no images gets a sentence in place of those in results", async () => {
  for (const status of [400, 404, 500]) {
    await using endpoint = await rawEndpoint((response, count) =>
      count === 1
        ? sendJson(response, status, { error: { message: "This model does not support image input" } })
        : sendStream(response, delta({ content: "ok" }), finished),
    );
    const { text } = await collect(httpModel(definitionAt(endpoint.url), noKeys, stillClock()), request);
    assert.equal(text, "ok");
    const [first = "", second = ""] = endpoint.requests.map(({ body }) => body);
    assert.ok(first.includes(uri) && !second.includes(uri));
    assert.match(second, /This model does not read images\./);
  }
});

test("an image that the user attached is not left out silently", async () => {
  await using endpoint = await rawEndpoint((response) =>
    sendJson(response, 400, { error: { message: "This model does not support image input" } }),
  );
  const attached: ContextItem = { role: "user", source: "user", content: [{ type: "image", uri }] };
  const asked = collect(httpModel(definitionAt(endpoint.url), noKeys, stillClock()), { ...request, items: [attached] });
  await assert.rejects(asked, /does not support image input/);
  assert.equal(endpoint.requests.length, 1);
});
