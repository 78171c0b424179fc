import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputContent,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import type { ContentPart } from "../../../../shared/contract/message.ts";
import type { ContextItem, ModelRequest, ToolSpec } from "../../../engine/model.ts";
import { type EndpointModel, modelName } from "../endpoint/endpoint-model.ts";
import { callId, legalName } from "../request/legal-names.ts";
import { argumentsText, endsCutShort, GO_ON, prefixed, resultText, saidBy } from "../request/message-text.ts";
import { outputFormat } from "../request/output-format.ts";

/**
 * The request of the Responses API for one question to a model. The endpoint keeps nothing: the whole talk is sent each time,
 * without the model's own reasoning, which it does not need to go on.
 */
export function responsesRequest(definition: EndpointModel, request: ModelRequest): ResponseCreateParamsStreaming {
  const { temperature, maxTokens, reasoning } = definition;
  const { tools, output } = request;
  return {
    model: modelName(definition),
    ...talkOf(request),
    stream: true,
    store: false,
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(reasoning === undefined ? {} : { reasoning: reasoningOf(reasoning) }),
    ...(output === undefined ? {} : { text: { format: { type: "json_schema" as const, ...outputFormat(output) } } }),
  };
}

function reasoningOf({ effort, summary }: NonNullable<EndpointModel["reasoning"]>) {
  return { ...(effort === undefined ? {} : { effort }), ...(summary === undefined ? {} : { summary }) };
}

/** The API refuses a request without any input, so where nothing was said yet, the instructions are said in it. */
function talkOf({
  instructions,
  items,
}: ModelRequest): Pick<ResponseCreateParamsStreaming, "instructions"> & { input: ResponseInputItem[] } {
  const input = items.flatMap(itemsOf);
  if (endsCutShort(items)) input.push({ role: "user", content: GO_ON });
  if (instructions === "") return { input };
  return input.length === 0 ? { input: [{ role: "developer", content: instructions }] } : { instructions, input };
}

function itemsOf(item: ContextItem): ResponseInputItem[] {
  switch (item.role) {
    case "user":
      return [{ role: "user", content: contentOf(item) }];
    case "assistant":
      return assistantItems(item);
    case "tool":
      return [{ type: "function_call_output", call_id: callId(item.ref), output: resultText(item) }];
    default:
      return item satisfies never;
  }
}

/** This API's messages have no `name`, so who spoke is said in the text: the model has to know. */
function contentOf({
  source,
  content,
}: Extract<ContextItem, { readonly role: "user" }>): string | ResponseInputContent[] {
  const prefix = saidBy(source);
  return typeof content === "string" ? `${prefix}${content}` : prefixed(prefix, content).map(contentPart);
}

function contentPart(part: ContentPart): ResponseInputContent {
  if (part.type === "text") return { type: "input_text", text: part.text };
  return { type: "input_image", image_url: part.uri, detail: "auto" };
}

function assistantItems({ content, calls }: Extract<ContextItem, { readonly role: "assistant" }>): ResponseInputItem[] {
  const said: ResponseInputItem[] = content === "" ? [] : [{ role: "assistant", content }];
  const asked = calls.map(
    ({ ref, name, input }): ResponseInputItem => ({
      type: "function_call",
      call_id: callId(ref),
      name: legalName(name),
      arguments: argumentsText(input),
    }),
  );
  return [...said, ...asked];
}

/** Here functions are strict unless it is said otherwise, and few tools' schemas are of the strict kind. */
function toolOf({ name, description, inputSchema }: ToolSpec): FunctionTool {
  return { type: "function", name, description, parameters: { ...inputSchema }, strict: false };
}
