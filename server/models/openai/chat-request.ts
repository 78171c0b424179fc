import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import type { OpenAiModel } from "../../../shared/contract/definition.ts";
import type { ContentPart } from "../../../shared/contract/message.ts";
import type { ToolCall } from "../../../shared/contract/team.ts";
import type { ContextItem, ModelRequest, ToolSpec } from "../../engine/model.ts";
import { callId, isLegalName, legalName } from "./wire-name.ts";

type Item<R extends ContextItem["role"]> = Extract<ContextItem, { readonly role: R }>;

/** Added after a message that was cut short, so that the model knows that it is to go on and not to answer. */
const GO_ON =
  "Your last message was interrupted. Go on from exactly where it stopped, without repeating any of it and without " +
  "remarking on the interruption.";

/** The Chat Completions request for one question to a model. */
export function chatRequest(definition: OpenAiModel, request: ModelRequest): ChatCompletionCreateParamsStreaming {
  return {
    model: definition.model,
    messages: messagesOf(request, definition.addNamePrefixes ?? false),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolOf) }),
    ...(definition.temperature === undefined ? {} : { temperature: definition.temperature }),
    ...limitOf(definition),
  };
}

/** OpenAI's reasoning models refuse `max_tokens`; most compatible endpoints know nothing else. */
function limitOf({
  baseUrl,
  maxTokens,
}: OpenAiModel): Pick<ChatCompletionCreateParamsStreaming, "max_tokens" | "max_completion_tokens"> {
  if (maxTokens === undefined) return {};
  return baseUrl === undefined ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens };
}

function messagesOf({ instructions, items }: ModelRequest, prefixes: boolean): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = [];
  if (instructions !== "") messages.push({ role: "system", content: instructions });
  for (const item of items) {
    const message = messageOf(item, prefixes);
    if (message !== undefined) messages.push(message);
  }
  if (endsCutShort(items)) messages.push({ role: "user", content: GO_ON });
  return messages;
}

function endsCutShort(items: readonly ContextItem[]): boolean {
  const last = items.at(-1);
  return last?.role === "assistant" && last.partial === true && last.calls.length === 0 && last.content !== "";
}

function messageOf(item: ContextItem, prefixes: boolean): ChatCompletionMessageParam | undefined {
  switch (item.role) {
    case "user":
      return userMessage(item, prefixes);
    case "assistant":
      return assistantMessage(item);
    case "tool":
      return { role: "tool", tool_call_id: callId(item.ref), content: resultText(item) };
    default:
      return item satisfies never;
  }
}

/** A name that the API does not take is said in the text instead: the model has to know who spoke. */
function userMessage({ source, content }: Item<"user">, prefixes: boolean): ChatCompletionMessageParam {
  const legal = isLegalName(source);
  // AutoGen's form (autogen_ext.models.openai, `add_name_prefixes`).
  const prefix = prefixes || !legal ? `${source} said:\n` : "";
  return {
    role: "user",
    content: typeof content === "string" ? `${prefix}${content}` : contentParts(content, prefix),
    ...(legal ? { name: source } : {}),
  };
}

function contentParts(parts: readonly ContentPart[], prefix: string): ChatCompletionContentPart[] {
  const [first, ...rest] = parts;
  if (prefix === "") return parts.map(contentPart);
  if (first?.type === "text") return [{ type: "text", text: `${prefix}${first.text}` }, ...rest.map(contentPart)];
  return [{ type: "text", text: prefix.trimEnd() }, ...parts.map(contentPart)];
}

/** An endpoint can not read a file of this machine: such an image is named, not sent. */
function contentPart(part: ContentPart): ChatCompletionContentPart {
  if (part.type === "text") return { type: "text", text: part.text };
  if (/^(data|https?):/i.test(part.uri)) return { type: "image_url", image_url: { url: part.uri } };
  return { type: "text", text: `[image not attached: ${part.uri}]` };
}

/** Undefined for one that says and asks nothing: endpoints refuse an empty assistant message. */
function assistantMessage({ content, calls }: Item<"assistant">): ChatCompletionMessageParam | undefined {
  if (calls.length === 0) return content === "" ? undefined : { role: "assistant", content };
  return { role: "assistant", content: content === "" ? null : content, tool_calls: calls.map(callOf) };
}

function callOf({ ref, name, input }: ToolCall): ChatCompletionMessageToolCall {
  return { id: callId(ref), type: "function", function: { name: legalName(name), arguments: argumentsText(input) } };
}

/** Endpoints that read the arguments (Ollama, vLLM) take an object and nothing else, so what a model garbled is wrapped in one. */
function argumentsText(input: unknown): string {
  if (input === undefined || input === null) return "{}";
  const isObject = typeof input === "object" && !Array.isArray(input);
  return JSON.stringify(isObject ? input : { input });
}

function resultText({ output, isError }: Item<"tool">): string {
  const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "null");
  return isError ? `ERROR: ${text}` : text;
}

function toolOf({ name, description, inputSchema }: ToolSpec): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: { ...inputSchema } } };
}
