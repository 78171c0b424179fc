import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputContent,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import type { ContentPart } from "../../../../shared/contract/message.ts";
import type { ContextItem, ModelRequest, ToolSpec } from "../../../engine/model.ts";
import { modelName, type OpenAiApiModel } from "../../endpoint/endpoint-model.ts";
import { callIds } from "../../request/call-ids.ts";
import { legalName } from "../../request/legal-names.ts";
import {
  argumentsText,
  CONTINUE_PROMPT,
  endsWithPartial,
  resultImages,
  resultText,
  speakerPrefix,
  withPrefix,
} from "../../request/message-text.ts";
import { outputFormat } from "../../request/output-format.ts";

/**
 * The Responses API request for a model request. The endpoint stores nothing: the whole conversation is sent each time,
 * without the model's own reasoning, which it does not need to continue.
 */
export function responsesRequest(definition: OpenAiApiModel, request: ModelRequest): ResponseCreateParamsStreaming {
  const { temperature, maxTokens, reasoning } = definition;
  const { tools, output } = request;
  return {
    model: modelName(definition),
    ...inputOf(request),
    stream: true,
    store: false,
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(reasoning === undefined ? {} : { reasoning: reasoningOf(reasoning) }),
    ...(output === undefined ? {} : { text: { format: { type: "json_schema" as const, ...outputFormat(output) } } }),
  };
}

function reasoningOf({ effort, summary }: NonNullable<OpenAiApiModel["reasoning"]>) {
  return { ...(effort === undefined ? {} : { effort }), ...(summary === undefined ? {} : { summary }) };
}

/** The API refuses a request without input, so where the conversation is empty, the instructions are the input. */
function inputOf({
  instructions,
  items,
}: ModelRequest): Pick<ResponseCreateParamsStreaming, "instructions"> & { input: ResponseInputItem[] } {
  const idOf = callIds(items);
  const input = items.flatMap((item) => itemsOf(item, idOf));
  if (endsWithPartial(items)) input.push({ role: "user", content: CONTINUE_PROMPT });
  if (instructions === "") return { input };
  return input.length === 0 ? { input: [{ role: "developer", content: instructions }] } : { instructions, input };
}

function itemsOf(item: ContextItem, idOf: (ref: string) => string): ResponseInputItem[] {
  switch (item.role) {
    case "user":
      return [{ role: "user", content: contentOf(item) }];
    case "assistant":
      return assistantItems(item, idOf);
    case "tool":
      return [{ type: "function_call_output", call_id: idOf(item.ref), output: outputOf(item) }];
    default:
      return item satisfies never;
  }
}

/** The result as text, or with images as parts. */
function outputOf(item: Extract<ContextItem, { readonly role: "tool" }>): string | ResponseInputContent[] {
  const images = resultImages(item);
  const text = resultText(item);
  return images.length === 0 ? text : [{ type: "input_text", text }, ...images.map(contentPart)];
}

/** This API's messages have no `name`, so the text names the speaker. */
function contentOf({
  source,
  content,
}: Extract<ContextItem, { readonly role: "user" }>): string | ResponseInputContent[] {
  const prefix = speakerPrefix(source);
  return typeof content === "string" ? `${prefix}${content}` : withPrefix(prefix, content).map(contentPart);
}

function contentPart(part: ContentPart): ResponseInputContent {
  if (part.type === "text") return { type: "input_text", text: part.text };
  return { type: "input_image", image_url: part.uri, detail: "auto" };
}

function assistantItems(
  { content, calls }: Extract<ContextItem, { readonly role: "assistant" }>,
  idOf: (ref: string) => string,
): ResponseInputItem[] {
  const text: ResponseInputItem[] = content === "" ? [] : [{ role: "assistant", content }];
  const functionCalls = calls.map(
    ({ ref, name, input }): ResponseInputItem => ({
      type: "function_call",
      call_id: idOf(ref),
      name: legalName(name),
      arguments: argumentsText(input),
    }),
  );
  return [...text, ...functionCalls];
}

/** In this API functions are strict by default, and strict mode supports few tools' schemas. */
function toolOf({ name, description, inputSchema }: ToolSpec): FunctionTool {
  return { type: "function", name, description, parameters: { ...inputSchema }, strict: false };
}
