import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextItem, ModelRequest } from "../../engine/model.ts";
import { anthropicAt } from "../testing/anthropic-stream.ts";
import { anthropicRequest } from "./anthropic-request.ts";

const cache_control = { type: "ephemeral" } as const;
const text = (value: string) => ({ type: "text", text: value });
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
const readFile = {
  name: "readFile",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};

const signed = (model = "claude-test") =>
  JSON.stringify({
    provider: "anthropic",
    model,
    beforeText: [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }],
    afterText: [{ type: "redacted_thinking", data: "aGlk" }],
  });

function bodyOf(request: Partial<ModelRequest>, more: Parameters<typeof anthropicAt>[1] = {}) {
  const whole = { participant: "writer", instructions: "Write.", items: [], tools: [], ...request };
  return anthropicRequest(anthropicAt("http://127.0.0.1/", more), whole);
}
const messagesOf = (...items: readonly ContextItem[]) => bodyOf({ items }).messages;

test("a request has the instructions, the tools and the conversation, with what is cached marked", () => {
  assert.deepEqual(bodyOf({ items: [said("user", "hello")], tools: [readFile] }), {
    model: "claude-test",
    max_tokens: 32_000,
    system: [{ ...text("Write."), cache_control }],
    tools: [{ name: "readFile", description: "Reads a file.", input_schema: readFile.inputSchema }],
    messages: [{ role: "user", content: [{ ...text("user said:\nhello"), cache_control }] }],
    stream: true,
  });
});

test("without instructions, the tools are what is cached first", () => {
  const { system, tools } = bodyOf({ instructions: "", tools: [readFile, { ...readFile, name: "writeFile" }] });
  assert.equal(system, undefined);
  assert.deepEqual(
    tools?.map((tool) => "cache_control" in tool && tool.cache_control),
    [false, cache_control],
  );
});

test("messages of one role in a row are one, and every other speaker is named", () => {
  assert.deepEqual(
    messagesOf(said("user", "hello"), said("ann", "hi"), own("Yes."), own("Really."), said("bob", "no")),
    [
      { role: "user", content: [text("user said:\nhello"), { ...text("ann said:\nhi"), cache_control }] },
      { role: "assistant", content: [text("Yes."), text("Really.")] },
      { role: "user", content: [{ ...text("bob said:\nno"), cache_control }] },
    ],
  );
});

test("results follow their calls at once, in one message and before any text, errors marked", () => {
  const calls = [
    { ref: "1:1", id: "toolu_1", name: "readFile", input: { path: "a" } },
    { ref: "1:2", name: "no such tool", input: "b" },
  ];
  const [, asked, answered] = messagesOf(
    said("user", "go"),
    own("I look.", { calls }),
    result("1:1", { lines: 2 }),
    result("1:2", "there is none", true),
    said("ann", "and?"),
  );
  const content = asked?.content;
  assert.ok(Array.isArray(content));
  const second = content[2];
  assert.ok(second?.type === "tool_use");
  assert.match(second.id, /^[0-9a-f]{40}$/);
  assert.deepEqual(content, [
    text("I look."),
    { type: "tool_use", id: "toolu_1", name: "readFile", input: { path: "a" } },
    { type: "tool_use", id: second.id, name: "no_such_tool", input: { input: "b" } },
  ]);
  assert.deepEqual(answered, {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "toolu_1", content: '{"lines":2}' },
      { type: "tool_result", tool_use_id: second.id, content: "there is none", is_error: true },
      { ...text("ann said:\nand?"), cache_control },
    ],
  });
});

test("signed thoughts go back where they were, and only to the model that signed them", () => {
  const loop = (signedThoughts: string) =>
    messagesOf(
      said("user", "go"),
      own("I look.", { calls: [{ ref: "1:1", id: "a", name: "readFile", input: {}, signedThoughts }] }),
      result("1:1", "text"),
    )[1]?.content;
  const call = { type: "tool_use", id: "a", name: "readFile", input: {} };
  assert.deepEqual(loop(signed()), [
    { type: "thinking", thinking: "Hm.", signature: "c2ln" },
    text("I look."),
    { type: "redacted_thinking", data: "aGlk" },
    call,
  ]);
  for (const foreign of [signed("claude-other"), "{}", "[", `${"[".repeat(1e5)}`, '{"provider":"gemini"}'])
    assert.deepEqual(loop(foreign), [text("I look."), call]);
});

test("a conversation begins and ends with the user, also an empty one", () => {
  const last = (text_: string) => [{ role: "user", content: [{ ...text(text_), cache_control }] }];
  assert.deepEqual(messagesOf(), last("The conversation starts here."));
  assert.deepEqual(messagesOf(own("Yes.")).at(-1)?.content, [{ ...text("Continue the conversation."), cache_control }]);
  const [first, partial, more] = messagesOf(own("Once upon", { partial: true }));
  assert.equal(first?.role, "user");
  assert.deepEqual(partial, { role: "assistant", content: [text("Once upon")] });
  assert.match(JSON.stringify(more), /Continue from exactly where it stopped/);
});

test("empty texts are left out: the API refuses them", () => {
  const items = [said("user", "go"), own(""), own(" \n"), said("ann", "hi")];
  assert.deepEqual(
    messagesOf(...items).map(({ role }) => role),
    ["user"],
  );
});

test("images are sent as data or by address, and nothing else is sent as an image", () => {
  const content = [
    { type: "text" as const, text: "look" },
    { type: "image" as const, uri: "data:image/PNG;base64,aGk=" },
    { type: "image" as const, uri: "https://example.com/a.png" },
    { type: "image" as const, uri: "data:text/html;base64,aGk=" },
  ];
  assert.deepEqual(messagesOf({ role: "user", source: "user", content })[0]?.content, [
    text("user said:\nlook"),
    { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
    { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
    { ...text("[An image is not attached: it is not a PNG, JPEG, GIF or WebP image.]"), cache_control },
  ]);
});

test("only the ends of the last two messages of the user are cached, beside the instructions", () => {
  const items = [1, 2, 3, 4].flatMap((turn) => [said("user", `${turn}`), own("ok")]);
  const marked = JSON.stringify(bodyOf({ items: [...items, said("user", "5")] })).match(/cache_control/g);
  assert.equal(marked?.length, 3);
});

test("where no tool may be called any more, those of the conversation are named and none may be chosen", () => {
  const items = [said("user", "go"), own("", { calls: [{ ref: "r", name: "readFile", input: {} }] }), result("r", "x")];
  const { tools, tool_choice } = bodyOf({ items });
  assert.deepEqual(tools, [{ name: "readFile", input_schema: { type: "object" } }]);
  assert.deepEqual(tool_choice, { type: "none" });
  assert.equal(bodyOf({ items: [said("user", "go")] }).tools, undefined);
});

test("an effort lets the model decide how long it thinks; none turns thinking off; a budget limits it", () => {
  const reasoning = (settings: { effort?: "none" | "low" | "max"; budgetTokens?: number }) => {
    const { thinking, output_config, max_tokens } = bodyOf({ items: [said("user", "go")] }, { reasoning: settings });
    return { thinking, output_config, max_tokens };
  };
  assert.deepEqual(reasoning({ effort: "low" }), {
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "low" },
    max_tokens: 32_000,
  });
  assert.deepEqual(reasoning({ effort: "none" }), {
    thinking: { type: "disabled" },
    output_config: undefined,
    max_tokens: 32_000,
  });
  assert.deepEqual(reasoning({ budgetTokens: 40_000 }), {
    thinking: { type: "enabled", budget_tokens: 40_000 },
    output_config: undefined,
    max_tokens: 56_000,
  });
});

test("with a budget, calls that no thoughts of the model led to are completed without thinking", () => {
  const after = (signedThoughts: string | undefined) => {
    const call = { ref: "r", name: "readFile", input: {}, ...(signedThoughts === undefined ? {} : { signedThoughts }) };
    const items = [said("user", "go"), own("", { calls: [call] }), result("r", "x")];
    return bodyOf({ items, tools: [readFile] }, { reasoning: { budgetTokens: 2_000 } }).thinking;
  };
  assert.equal(after(undefined), undefined);
  assert.equal(after(signed("claude-other")), undefined);
  assert.deepEqual(after(signed()), { type: "enabled", budget_tokens: 2_000 });
});

test("a structured answer is asked for by its schema", () => {
  const schema = { type: "object", properties: {}, additionalProperties: false };
  const { output_config } = bodyOf({ output: { name: "answer", schema } }, { reasoning: { effort: "high" } });
  assert.deepEqual(output_config, { effort: "high", format: { type: "json_schema", schema } });
});
