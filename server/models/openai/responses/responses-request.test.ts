import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextItem, ModelRequest } from "../../../engine/model.ts";
import { responsesRequest } from "./responses-request.ts";

const definition = { provider: "openai", model: "gpt-test", api: "responses" } as const;
const asking = (items: readonly ContextItem[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  participant: "writer",
  instructions: "Write.",
  items,
  tools: [],
  ...more,
});
const input = (...items: readonly ContextItem[]) => responsesRequest(definition, asking(items)).input;
const hello: ContextItem = { role: "user", source: "user", content: "hello" };

test("the endpoint is asked to store nothing, and is sent the instructions and the whole conversation", () => {
  assert.deepEqual(responsesRequest(definition, asking([hello])), {
    model: "gpt-test",
    instructions: "Write.",
    input: [{ role: "user", content: "user said:\nhello" }],
    stream: true,
    store: false,
  });
});

test("in an empty conversation, the instructions are the input, since one is required", () => {
  const { instructions, input } = responsesRequest(definition, asking([]));
  assert.equal(instructions, undefined);
  assert.deepEqual(input, [{ role: "developer", content: "Write." }]);
  assert.ok(!("instructions" in responsesRequest(definition, asking([hello], { instructions: "" }))));
});

test("calls and their results are separate items, paired, results as text, errors marked", () => {
  const calls = [
    { ref: "r1", name: "functions.readFile", input: { path: "a" } },
    { ref: "r".repeat(60), name: "readFile", input: undefined },
  ];
  const items = input(
    { role: "assistant", content: "I look.", calls },
    { role: "tool", ref: "r1", name: "readFile", output: { lines: 3 }, isError: false },
    { role: "tool", ref: "r".repeat(60), name: "readFile", output: "no such file", isError: true },
  );
  assert.ok(Array.isArray(items));
  const [, , second, , secondResult] = items;
  assert.ok(second?.type === "function_call" && secondResult?.type === "function_call_output");
  assert.equal(second.call_id.length, 40);
  assert.equal(second.arguments, "{}");
  assert.deepEqual(items, [
    { role: "assistant", content: "I look." },
    { type: "function_call", call_id: "r1", name: "functions_readFile", arguments: '{"path":"a"}' },
    second,
    { type: "function_call_output", call_id: "r1", output: '{"lines":3}' },
    { type: "function_call_output", call_id: second.call_id, output: "ERROR: no such file" },
  ]);
});

test("an image is an input image, after its sender's name", () => {
  const content = [{ type: "image", uri: "data:image/png;base64,AA==" }] as const;
  assert.deepEqual(input({ role: "user", source: "Zoë", content }), [
    {
      role: "user",
      content: [
        { type: "input_text", text: "Zoë said:" },
        { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "auto" },
      ],
    },
  ]);
});

test("an interrupted message of the model's own is to be continued; an empty one is left out", () => {
  const items = input({ role: "assistant", content: "Once there", calls: [], partial: true });
  assert.ok(Array.isArray(items));
  assert.equal(items.length, 2);
  assert.match(JSON.stringify(items[1]), /Continue from exactly where it stopped/);
  assert.deepEqual(input(hello, { role: "assistant", content: "", calls: [], partial: true }), input(hello));
});

test("settings, tools and a structured output have this API's names", () => {
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
  const tool = { name: "readFile", description: "Reads a file.", inputSchema: { type: "object" } };
  const more = { temperature: 0.5, maxTokens: 9, reasoning: { effort: "high", summary: "auto" } } as const;
  const body = responsesRequest(
    { ...definition, ...more },
    asking([hello], { tools: [tool], output: { name: "plan", schema } }),
  );
  assert.equal(body.temperature, 0.5);
  assert.equal(body.max_output_tokens, 9);
  assert.deepEqual(body.reasoning, { effort: "high", summary: "auto" });
  assert.deepEqual(body.text, { format: { type: "json_schema", name: "plan", schema, strict: true } });
  assert.deepEqual(body.tools, [
    { type: "function", name: "readFile", description: "Reads a file.", parameters: { type: "object" }, strict: false },
  ]);
});
