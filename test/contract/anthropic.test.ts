import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  blockDelta,
  blockStart,
  callBlock,
  sendMessage,
  startMessage,
  stopped,
  textBlock,
  thinkingBlock,
} from "../../server/models/testing/anthropic-stream.ts";
import { type RawEndpoint, rawEndpoint } from "../../server/models/testing/raw-endpoint.ts";
import type { ModelDefinition, ToolDeclaration } from "../../shared/contract/definition.ts";
import { TeamInterrupt, TeamOpen, TeamResolveTools, TeamRun, ToolsRegister } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { begunRun } from "./harness/begun-run.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { roundRobin } from "./harness/teams.ts";

const claude = (baseUrl: string): ModelDefinition => ({
  provider: "anthropic",
  model: "claude-test",
  baseUrl,
  reasoning: { effort: "low" },
});

const lookUp: ToolDeclaration = {
  name: "lookUp",
  description: "Looks up a word.",
  inputSchema: { type: "object", properties: { word: { type: "string" } } },
};

const text = (value: string) => ({ type: "text", text: value });
const cached = { cache_control: { type: "ephemeral" } };

/** The messages of the request at an index. */
const messagesAt = ({ requests }: RawEndpoint, at: number): unknown => JSON.parse(requests[at]?.body ?? "{}").messages;

describe("a model behind Anthropic's API", () => {
  it("takes its turn through the official SDK, its thoughts as reasoning and its usage counted", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const usage = { input_tokens: 12, output_tokens: 3 };
    endpoint.mock.on({}, { content: "ann speaks", reasoning: "ann thinks", usage });
    const definition = roundRobin({ names: ["ann"], model: claude(endpoint.mock.url), maxTurns: 1 });
    await host.send(TeamOpen, { teamId: "t", definition });
    const result = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(result.status.code, "success", result.status.message);
    assert.equal(result.messages.at(-1)?.content, "ann speaks");
    assert.deepEqual(result.usage, { prompt: 12, completion: 3, total: 15 });
    const thought = host.eventsOf("t").find(({ type }) => type === "reasoning/thought");
    assert.ok(thought?.type === "reasoning/thought");
    assert.equal(thought.message, "ann thinks");
  });

  it("gets its signed thoughts back with the results of its calls, step by step, also after the user was asked", async () => {
    await using endpoint = await rawEndpoint((response, count) => {
      if (count === 1) {
        sendMessage(
          response,
          ...thinkingBlock(0, "Two words.", "c2lnMQ=="),
          ...textBlock(1, "I look."),
          ...callBlock(2, "toolu_1", "lookUp", '{"word":', '"a"}'),
          ...callBlock(3, "toolu_2", "lookUp", '{"word":"b"}'),
          stopped("tool_use"),
        );
      } else if (count === 2) {
        const call = callBlock(1, "toolu_3", "askUser", "{}");
        sendMessage(response, ...thinkingBlock(0, "Unclear.", "c2lnMg=="), ...call, stopped("tool_use"));
      } else sendMessage(response, ...textBlock(0, "Done."), stopped("end_turn"));
    });
    await using host = await HostClient.start({
      onToolCall: async ({ input }) => ({ output: `found ${JSON.stringify(input)}` }),
    });
    const askUser: ToolDeclaration = { ...lookUp, name: "askUser", interrupt: true };
    await host.send(ToolsRegister, { tools: [lookUp, askUser] });
    const participants = { tools: ["lookUp", "askUser"], maxToolIterations: 5 };
    const definition = roundRobin({ names: ["ann"], model: claude(endpoint.url), maxTurns: 1, participants });
    await host.send(TeamOpen, { teamId: "t", definition });

    const paused = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(paused.stopReason, "TOOL_INTERRUPT", paused.status.message);
    const asked = host.eventsOf("t").find(({ type }) => type === "tool/interrupted");
    assert.ok(asked?.type === "tool/interrupted");
    const { result } = await host.send(TeamResolveTools, {
      teamId: "t",
      respond: [{ ref: asked.ref, output: "the second" }],
    });

    assert.equal(result?.messages.at(-1)?.content, "Done.");
    const first = [
      { role: "user", content: [{ ...text("user said:\ngo"), ...cached }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Two words.", signature: "c2lnMQ==" },
          text("I look."),
          { type: "tool_use", id: "toolu_1", name: "lookUp", input: { word: "a" } },
          { type: "tool_use", id: "toolu_2", name: "lookUp", input: { word: "b" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", content: 'found {"word":"a"}' },
          { type: "tool_result", tool_use_id: "toolu_2", content: 'found {"word":"b"}', ...cached },
        ],
      },
    ];
    assert.deepEqual(messagesAt(endpoint, 1), first);
    assert.deepEqual(messagesAt(endpoint, 2), [
      { role: "user", content: [text("user said:\ngo")] },
      ...first.slice(1),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Unclear.", signature: "c2lnMg==" },
          { type: "tool_use", id: "toolu_3", name: "askUser", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_3", content: "the second", ...cached }] },
    ]);
  });

  it("interrupted in mid-text: the request is closed, the text is kept, and the next request continues it", async () => {
    await using endpoint = await rawEndpoint((response, count) => {
      if (count === 1) {
        const thought = thinkingBlock(0, "A tale.", "c2lnMQ==");
        const start = blockStart(1, { type: "text", text: "" });
        startMessage(response, ...thought, start, blockDelta(1, { type: "text_delta", text: "Once upon a time" }));
      } else sendMessage(response, ...textBlock(0, " there was"), stopped("end_turn"));
    });
    await using host = await HostClient.start();
    const { run, arriving } = await begunRun(host, endpoint, claude(endpoint.url));
    await host.streamed("t", 10);
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    await (await arriving).closed;
    await run;
    assert.deepEqual(
      receipt.partials.map(({ content, partial }) => [content, partial]),
      [["Once upon a time", true]],
    );
    await host.send(TeamRun, { teamId: "t" });
    assert.deepEqual(messagesAt(endpoint, 1), [
      { role: "user", content: [{ ...text("user said:\ngo"), ...cached }] },
      { role: "assistant", content: [text("Once upon a time")] },
      {
        role: "user",
        content: [
          {
            ...text(
              "Your last message was interrupted. Continue from exactly where it stopped. Do not repeat any of it and do not comment on the interruption.",
            ),
            ...cached,
          },
        ],
      },
    ]);
  });

  it("interrupted in mid-thought: the request is closed, and the next one asks the same again", async () => {
    await using endpoint = await rawEndpoint((response, count) => {
      if (count === 1) {
        const start = blockStart(0, { type: "thinking", thinking: "", signature: "" });
        startMessage(response, start, blockDelta(0, { type: "thinking_delta", thinking: "Well," }));
      } else sendMessage(response, ...textBlock(0, "Once"), stopped("end_turn"));
    });
    await using host = await HostClient.start();
    const { run, arriving } = await begunRun(host, endpoint, claude(endpoint.url));
    await host.event("t", ({ type }) => type === "reasoning/chunk");
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    await (await arriving).closed;
    await run;
    assert.deepEqual(receipt.partials, []);
    const { messages } = await host.send(TeamRun, { teamId: "t" });
    assert.equal(messages.at(-1)?.content, "Once");
    assert.deepEqual(messagesAt(endpoint, 1), messagesAt(endpoint, 0));
  });
});
