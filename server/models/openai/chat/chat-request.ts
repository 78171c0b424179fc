import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import type { ContentPart } from "../../../../shared/contract/message.ts";
import type { ToolCall } from "../../../../shared/contract/team.ts";
import type { ContextItem, ModelRequest, ToolSpec } from "../../../engine/model.ts";
import { isCompatible, modelName, type OpenAiApiModel } from "../../endpoint/endpoint-model.ts";
import { callIds } from "../../request/call-ids.ts";
import { isLegalName, legalName } from "../../request/legal-names.ts";
import {
  argumentsText,
  CONTINUE_PROMPT,
  endsWithPartial,
  type ItemOf,
  imagesIntroduction,
  resultImages,
  resultText,
  speakerPrefix,
  withPrefix,
} from "../../request/message-text.ts";
import { outputFormat } from "../../request/output-format.ts";

/** The Chat Completions request for a model request. Endpoints report the usage of a stream only with `includeUsage`. */
export function chatRequest(
  definition: OpenAiApiModel,
  request: ModelRequest,
  includeUsage = true,
): ChatCompletionCreateParamsStreaming {
  const { temperature, reasoning } = definition;
  const { tools, output } = request;
  return {
    model: modelName(definition),
    messages: messagesOf(request, definition.addNamePrefixes ?? false),
    stream: true,
    ...(includeUsage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoning?.effort === undefined ? {} : { reasoning_effort: reasoning.effort }),
    ...(output === undefined
      ? {}
      : { response_format: { type: "json_schema" as const, json_schema: outputFormat(output) } }),
    ...limitOf(definition),
  };
}

/** OpenAI's reasoning models refuse `max_tokens`; most compatible endpoints support nothing else. */
function limitOf(
  definition: OpenAiApiModel,
): Pick<ChatCompletionCreateParamsStreaming, "max_tokens" | "max_completion_tokens"> {
  const { maxTokens } = definition;
  if (maxTokens === undefined) return {};
  return isCompatible(definition) ? { max_tokens: maxTokens } : { max_completion_tokens: maxTokens };
}

function messagesOf({ instructions, items }: ModelRequest, prefixes: boolean): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = [];
  const idOf = callIds(items);
  if (instructions !== "") messages.push({ role: "system", content: instructions });
  for (const [at, item] of items.entries()) {
    const message = messageOf(item, idOf, prefixes);
    if (message !== undefined) messages.push(message);
    if (items[at + 1]?.role !== "tool") messages.push(...imagesBefore(items, at + 1));
  }
  if (endsWithPartial(items)) messages.push({ role: "user", content: CONTINUE_PROMPT });
  return messages;
}

/** The images of the results that end there: this API takes none in a result, and nothing between two results. */
function imagesBefore(items: readonly ContextItem[], end: number): ChatCompletionMessageParam[] {
  const start = items.findLastIndex((item, at) => at < end && item.role !== "tool") + 1;
  return items.slice(start, end).flatMap((item): ChatCompletionMessageParam[] => {
    const images = item.role === "tool" ? resultImages(item) : [];
    if (item.role !== "tool" || images.length === 0) return [];
    const text: ContentPart = { type: "text", text: imagesIntroduction(item.name) };
    return [{ role: "user", content: [text, ...images].map(contentPart) }];
  });
}

function messageOf(
  item: ContextItem,
  idOf: (ref: string) => string,
  prefixes: boolean,
): ChatCompletionMessageParam | undefined {
  switch (item.role) {
    case "user":
      return userMessage(item, prefixes);
    case "assistant":
      return assistantMessage(item, idOf);
    case "tool":
      return { role: "tool", tool_call_id: idOf(item.ref), content: resultText(item) };
    default:
      return item satisfies never;
  }
}

/** A name that the API does not accept is put into the text instead: the model has to know who spoke. */
function userMessage({ source, content }: ItemOf<"user">, prefixes: boolean): ChatCompletionMessageParam {
  const legal = isLegalName(source);
  const prefix = prefixes || !legal ? speakerPrefix(source) : "";
  return {
    role: "user",
    content: typeof content === "string" ? `${prefix}${content}` : withPrefix(prefix, content).map(contentPart),
    ...(legal ? { name: source } : {}),
  };
}

function contentPart(part: ContentPart): ChatCompletionContentPart {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: "image_url", image_url: { url: part.uri } };
}

/** Undefined for a message without text and calls: endpoints refuse it. */
function assistantMessage(
  { content, calls }: ItemOf<"assistant">,
  idOf: (ref: string) => string,
): ChatCompletionMessageParam | undefined {
  if (calls.length === 0) return content === "" ? undefined : { role: "assistant", content };
  return {
    role: "assistant",
    content: content === "" ? null : content,
    tool_calls: calls.map((call) => callOf(call, idOf)),
  };
}

function callOf({ ref, name, input }: ToolCall, idOf: (ref: string) => string): ChatCompletionMessageToolCall {
  return { id: idOf(ref), type: "function", function: { name: legalName(name), arguments: argumentsText(input) } };
}

function toolOf({ name, description, inputSchema }: ToolSpec): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: { ...inputSchema } } };
}
