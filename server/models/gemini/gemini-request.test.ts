import assert from "node:assert/strict";
import { test } from "node:test";
import type { Content } from "@google/genai/web";
import type { ContextItem, ModelRequest } from "../../engine/model.ts";
import { geminiAt } from "../testing/gemini-stream.ts";
import { geminiRequest } from "./gemini-request.ts";
import { signedBy } from "./thought-signature.ts";

const said = (source: string, content: string): ContextItem => ({ role: "user", source, content });
const own = (content: string, more: Partial<Extract<ContextItem, { role: "assistant" }>> = {}): ContextItem => ({
  role: "assistant",
  content,
  calls: [],
  ...more,
});
const result = (ref: string, output: unknown, isError = false): ContextItem => ({
  role: "tool",
  ref,
  name: "readFile",
  output,
  isError,
});
const readFile = { name: "readFile", description: "Reads a file.", inputSchema: { type: "object" } };

function requestOf(request: Partial<ModelRequest>, more: Parameters<typeof geminiAt>[1] = {}) {
  const whole = { participant: "writer", instructions: "Write.", items: [], tools: [], ...request };
  return geminiRequest(geminiAt("http://127.0.0.1", more), whole);
}
const contentsOf = (...items: readonly ContextItem[]): Content[] => requestOf({ items }).contents;

test("a request has the instructions, the tools, the settings and the conversation", () => {
  const settings = { temperature: 1, maxTokens: 100, reasoning: { effort: "low" as const } };
  assert.deepEqual(requestOf({ items: [said("user", "hello")], tools: [readFile] }, settings), {
    model: "gemini-test",
    contents: [{ role: "user", parts: [{ text: "user said:\nhello" }] }],
    config: {
      systemInstruction: "Write.",
      tools: [
        {
          functionDeclarations: [
            { name: "readFile", description: "Reads a file.", parametersJsonSchema: { type: "object" } },
          ],
        },
      ],
      temperature: 1,
      maxOutputTokens: 100,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "LOW" },
      automaticFunctionCalling: { disable: true },
    },
  });
});

test("a budget limits the thoughts, and nothing is said of them without either", () => {
  const thinkingOf = (more: Parameters<typeof geminiAt>[1]) => requestOf({}, more).config?.thinkingConfig;
  assert.deepEqual(thinkingOf({ reasoning: { budgetTokens: 0 } }), { includeThoughts: true, thinkingBudget: 0 });
  assert.equal(thinkingOf({}), undefined);
});

test("contents of one role in a row are one, and every other speaker is named", () => {
  assert.deepEqual(
    contentsOf(said("user", "hello"), said("ann", "hi"), own("Yes."), own("Really."), said("bob", "no")),
    [
      { role: "user", parts: [{ text: "user said:\nhello" }, { text: "ann said:\nhi" }] },
      { role: "model", parts: [{ text: "Yes." }, { text: "Really." }] },
      { role: "user", parts: [{ text: "bob said:\nno" }] },
    ],
  );
});

test("signatures go back with their calls, and results follow before any text", () => {
  const signedThoughts = signedBy("gemini-test", "c2ln");
  const calls = [
    { ref: "1:1", id: "c1", name: "readFile", input: { path: "a" }, signedThoughts },
    { ref: "1:2", name: "readFile", input: "b", signedThoughts: signedBy("gemini-test", "") },
  ];
  const items = [said("user", "go"), own("I look.", { calls }), result("1:1", { n: 2 }), result("1:2", "none", true)];
  assert.deepEqual(contentsOf(...items, said("ann", "and?")).slice(1), [
    {
      role: "model",
      parts: [
        { text: "I look." },
        { functionCall: { id: "c1", name: "readFile", args: { path: "a" } }, thoughtSignature: "c2ln" },
        { functionCall: { name: "readFile", args: { input: "b" } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "c1", name: "readFile", response: { output: '{"n":2}' } } },
        { functionResponse: { name: "readFile", response: { error: "none" } } },
        { text: "ann said:\nand?" },
      ],
    },
  ]);
});

test("the first call of another model has what the API accepts in place of a signature", () => {
  for (const signedThoughts of [signedBy("gemini-other", "c2ln"), "[", '{"provider":"anthropic"}', undefined]) {
    const call = { name: "readFile", input: {}, ...(signedThoughts === undefined ? {} : { signedThoughts }) };
    const calls = [
      { ...call, ref: "a" },
      { ...call, ref: "b" },
    ];
    const items = [said("user", "go"), own("", { calls }), result("a", "x"), result("b", "y")];
    assert.deepEqual(contentsOf(...items)[1], {
      role: "model",
      parts: [
        { functionCall: { name: "readFile", args: {} }, thoughtSignature: "skip_thought_signature_validator" },
        { functionCall: { name: "readFile", args: {} } },
      ],
    });
  }
});

test("a conversation begins and ends with the user, also an empty one", () => {
  assert.deepEqual(contentsOf(), [{ role: "user", parts: [{ text: "The conversation starts here." }] }]);
  assert.deepEqual(contentsOf(own("Yes.")).at(-1), { role: "user", parts: [{ text: "Continue the conversation." }] });
  const [first, partial, more] = contentsOf(own("Once upon", { partial: true }));
  assert.equal(first?.role, "user");
  assert.deepEqual(partial, { role: "model", parts: [{ text: "Once upon" }] });
  assert.match(JSON.stringify(more), /Continue from exactly where it stopped/);
});

test("images are sent as data or by address, and nothing else is sent as an image", () => {
  const content = [
    { type: "text" as const, text: "look" },
    { type: "image" as const, uri: "data:image/PNG;base64,aGk=" },
    { type: "image" as const, uri: "https://example.com/a.jpg", mimeType: "image/jpeg" },
    { type: "image" as const, uri: "data:text/html;base64,aGk=" },
  ];
  assert.deepEqual(contentsOf({ role: "user", source: "user", content })[0]?.parts, [
    { text: "user said:\nlook" },
    { inlineData: { mimeType: "image/png", data: "aGk=" } },
    { fileData: { fileUri: "https://example.com/a.jpg", mimeType: "image/jpeg" } },
    { text: "[An image is not attached: it is no image.]" },
  ]);
});

test("a structured answer is asked for by its schema", () => {
  const schema = { type: "object", properties: {} };
  const { config } = requestOf({ output: { name: "answer", schema } });
  assert.equal(config?.responseMimeType, "application/json");
  assert.deepEqual(config?.responseJsonSchema, schema);
});
