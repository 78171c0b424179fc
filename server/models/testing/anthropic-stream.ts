import type { ServerResponse } from "node:http";
import type { AnthropicModel } from "../../../shared/contract/definition.ts";

type Fields = Readonly<Record<string, unknown>>;

export const anthropicAt = (baseUrl: string, more: Partial<AnthropicModel> = {}): AnthropicModel => ({
  provider: "anthropic",
  model: "claude-test",
  baseUrl,
  ...more,
});

/** Starts a stream of Anthropic's Messages API with these events, and leaves it open. */
export function startMessage(response: ServerResponse, ...events: readonly Fields[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write([started, ...events].map(eventText).join(""));
}

const eventText = (event: Fields): string => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`;

/** Sends a complete answer of the Messages API. */
export function sendMessage(response: ServerResponse, ...events: readonly Fields[]): void {
  startMessage(response, ...events, { type: "message_stop" });
  response.end();
}

const started = { type: "message_start", message: { usage: { input_tokens: 10, output_tokens: 1 } } };

export const blockStart = (index: number, content_block: Fields) => ({
  type: "content_block_start",
  index,
  content_block,
});
export const blockDelta = (index: number, delta: Fields) => ({ type: "content_block_delta", index, delta });
export const blockStop = (index: number) => ({ type: "content_block_stop", index });

/** The events of a block of text. */
export const textBlock = (index: number, ...deltas: readonly string[]) => [
  blockStart(index, { type: "text", text: "" }),
  ...deltas.map((text) => blockDelta(index, { type: "text_delta", text })),
  blockStop(index),
];

/** The events of a block of thoughts. */
export const thinkingBlock = (index: number, thinking: string, signature: string) => [
  blockStart(index, { type: "thinking", thinking: "", signature: "" }),
  blockDelta(index, { type: "thinking_delta", thinking }),
  blockDelta(index, { type: "signature_delta", signature }),
  blockStop(index),
];

/** The events of a tool call, its input in pieces. */
export const callBlock = (index: number, id: string, name: string, ...json: readonly string[]) => [
  blockStart(index, { type: "tool_use", id, name, input: {} }),
  ...json.map((partial_json) => blockDelta(index, { type: "input_json_delta", partial_json })),
  blockStop(index),
];

export const stopped = (stop_reason: string, usage: Fields = { output_tokens: 5 }) => ({
  type: "message_delta",
  delta: { stop_reason },
  usage,
});
