import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextItem } from "../../../engine/model.ts";
import { chatRequest } from "./chat-request.ts";

const definition = { provider: "openai", model: "gpt-test" } as const;

const messages = (items: readonly ContextItem[], more = {}) =>
  chatRequest({ ...definition, ...more }, { participant: "writer", instructions: "", items, tools: [] }).messages;

const call = (ref: string, input: unknown, name = "readFile") => ({ ref, name, input });

test("the instructions are the system message, and there is none without them", () => {
  const request = { participant: "writer", instructions: "Write.", items: [], tools: [] };
  assert.deepEqual(chatRequest(definition, request).messages, [{ role: "system", content: "Write." }]);
  assert.deepEqual(messages([]), []);
});

test("messages of others have their name", () => {
  assert.deepEqual(messages([{ role: "user", source: "reviewer", content: "hi" }]), [
    { role: "user", name: "reviewer", content: "hi" },
  ]);
});

test("a name that the API does not accept is put into the text", () => {
  assert.deepEqual(messages([{ role: "user", source: "Zoë", content: "hi" }]), [
    { role: "user", content: "Zoë said:\nhi" },
  ]);
});

test("addNamePrefixes puts the speaker's name before the text of others only", () => {
  const items: ContextItem[] = [
    { role: "user", source: "reviewer", content: "hi" },
    { role: "user", source: "user", content: [{ type: "image", uri: "data:image/png;base64,AA==" }] },
    { role: "user", source: "user", content: [{ type: "text", text: "look" }] },
    { role: "assistant", content: "yes", calls: [] },
  ];
  assert.deepEqual(messages(items, { addNamePrefixes: true }), [
    { role: "user", name: "reviewer", content: "reviewer said:\nhi" },
    {
      role: "user",
      name: "user",
      content: [
        { type: "text", text: "user said:" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
      ],
    },
    { role: "user", name: "user", content: [{ type: "text", text: "user said:\nlook" }] },
    { role: "assistant", content: "yes" },
  ]);
});

test("calls and their results are paired, results as text, errors marked", () => {
  const items: ContextItem[] = [
    { role: "assistant", content: "", calls: [call("r1", { path: "a" }), call("r2", undefined)] },
    { role: "tool", ref: "r1", name: "readFile", output: { lines: 3 }, isError: false },
    { role: "tool", ref: "r2", name: "readFile", output: "no such file", isError: true },
  ];
  assert.deepEqual(messages(items), [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "r1", type: "function", function: { name: "readFile", arguments: '{"path":"a"}' } },
        { id: "r2", type: "function", function: { name: "readFile", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "r1", content: '{"lines":3}' },
    { role: "tool", tool_call_id: "r2", content: "ERROR: no such file" },
  ]);
});

test("outputs of false, 0, null and an empty text are kept", () => {
  const outputs = [false, 0, null, undefined, ""];
  const items = outputs.map((output) => ({ role: "tool", ref: "r", name: "t", output, isError: false }) as const);
  assert.deepEqual(
    messages(items).map(({ content }) => content),
    ["false", "0", "null", "null", ""],
  );
});

test("malformed names and arguments are sent back in a form that endpoints accept", () => {
  const long = "outer/inner/".repeat(6);
  const items: ContextItem[] = [
    { role: "assistant", content: "", calls: [call(long, '{"path":', "functions.readFile")] },
    { role: "tool", ref: long, name: "functions.readFile", output: "?", isError: true },
  ];
  const [asked, answered] = messages(items);
  assert.ok(asked?.role === "assistant" && answered?.role === "tool");
  const [sent] = asked.tool_calls ?? [];
  assert.ok(sent?.type === "function");
  assert.equal(sent.function.name, "functions_readFile");
  assert.deepEqual(JSON.parse(sent.function.arguments), { input: '{"path":' });
  assert.equal(sent.id.length, 40);
  assert.equal(answered.tool_call_id, sent.id);
});

test("after an interrupted message of its own, the model is told to continue it", () => {
  const [partial, goOn, ...rest] = messages([{ role: "assistant", content: "Once there", calls: [], partial: true }]);
  assert.deepEqual(partial, { role: "assistant", content: "Once there" });
  assert.equal(goOn?.role, "user");
  assert.match(String(goOn?.content), /interrupted.*Continue from exactly where it stopped. Do not repeat/);
  assert.deepEqual(rest, []);
});

test("nothing is added when someone spoke after the partial message, or when the last message is complete", () => {
  const partial: ContextItem = { role: "assistant", content: "Once there", calls: [], partial: true };
  assert.equal(messages([partial, { role: "user", source: "user", content: "stop" }]).length, 2);
  assert.equal(messages([{ role: "assistant", content: "The end.", calls: [] }]).length, 1);
});

test("an empty message of the model's own is left out", () => {
  assert.deepEqual(messages([{ role: "assistant", content: "", calls: [], partial: true }]), []);
});

test("the token limit has the name that the endpoint supports", () => {
  const request = { participant: "writer", instructions: "", items: [], tools: [] };
  assert.equal(chatRequest({ ...definition, maxTokens: 9 }, request).max_completion_tokens, 9);
  assert.equal(chatRequest({ ...definition, maxTokens: 9, baseUrl: "http://localhost/v1" }, request).max_tokens, 9);
});

test("the reasoning effort has the name that Chat Completions gives it", () => {
  const request = { participant: "writer", instructions: "", items: [], tools: [] };
  const body = chatRequest({ ...definition, reasoning: { effort: "low", summary: "auto" } }, request);
  assert.equal(body.reasoning_effort, "low");
  assert.ok(!("reasoning" in body));
  assert.ok(!("reasoning_effort" in chatRequest({ ...definition, reasoning: { summary: "auto" } }, request)));
});

test("a structured output is a JSON Schema, strict where strict mode supports it", () => {
  const properties = { answer: { type: "string" } };
  const strict = { type: "object", properties, required: ["answer"], additionalProperties: false };
  const format = (schema: Readonly<Record<string, unknown>>) =>
    chatRequest(definition, {
      participant: "writer",
      instructions: "",
      items: [],
      tools: [],
      output: { name: "verdict", schema },
    }).response_format;
  assert.deepEqual(format(strict), {
    type: "json_schema",
    json_schema: { name: "verdict", schema: strict, strict: true },
  });
  assert.deepEqual(format({ type: "object", properties }), {
    type: "json_schema",
    json_schema: { name: "verdict", schema: { type: "object", properties }, strict: false },
  });
});
