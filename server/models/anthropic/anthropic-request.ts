import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { AnthropicModel } from "../../../shared/contract/definition.ts";
import type { ContentPart } from "../../../shared/contract/message.ts";
import type { ContextItem, ModelRequest } from "../../engine/model.ts";
import { callIds } from "../request/call-ids.ts";
import { legalName } from "../request/legal-names.ts";
import {
  argumentsObject,
  CONTINUE_PROMPT,
  endsWithPartial,
  GO_ON_PROMPT,
  type ItemOf,
  resultImages,
  resultText,
  START_PROMPT,
  speakerPrefix,
  withPrefix,
} from "../request/message-text.ts";
import { thoughtsOf } from "./signed-thoughts.ts";

/** What a block of a user's message may be here. */
type UserBlock = TextBlockParam | ImageBlockParam | ToolResultBlockParam;

/** The API requires a limit on the answer. Every model that it still serves accepts this one. */
const DEFAULT_MAX_TOKENS = 32_000;

/** How much of the default limit is left for the answer beside a budget for thoughts. */
const ROOM_FOR_ANSWER = 16_000;

const CACHED = { cache_control: { type: "ephemeral" } } as const;

/** The Messages API request for a model request. */
export function anthropicRequest(definition: AnthropicModel, request: ModelRequest): MessageCreateParamsStreaming {
  const { model, reasoning } = definition;
  const { instructions, items, output } = request;
  const thinking = thinkingOf(definition, items);
  const effort = reasoning?.effort === "none" ? undefined : reasoning?.effort;
  const format = output === undefined ? {} : { format: { type: "json_schema" as const, schema: { ...output.schema } } };
  return {
    model,
    max_tokens: maxTokensOf(definition),
    ...(instructions === "" ? {} : { system: [{ type: "text", text: instructions, ...CACHED }] }),
    ...toolsOf(request),
    messages: messagesOf(items, model),
    stream: true,
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined && output === undefined
      ? {}
      : { output_config: { ...(effort === undefined ? {} : { effort }), ...format } }),
  };
}

function maxTokensOf({ maxTokens, reasoning }: AnthropicModel): number {
  return maxTokens ?? Math.max(DEFAULT_MAX_TOKENS, (reasoning?.budgetTokens ?? 0) + ROOM_FOR_ANSWER);
}

/**
 * With a budget, the API refuses results of calls that no thoughts led to, such as those of another model: such calls are
 * completed without thinking ("Extended thinking", Toggling thinking modes).
 */
function thinkingOf(
  { model, reasoning }: AnthropicModel,
  items: readonly ContextItem[],
): ThinkingConfigParam | undefined {
  if (reasoning === undefined) return undefined;
  const { effort, budgetTokens } = reasoning;
  if (budgetTokens !== undefined)
    return isUnsigned(items, model) ? undefined : { type: "enabled", budget_tokens: budgetTokens };
  return effort === "none" ? { type: "disabled" } : { type: "adaptive", display: "summarized" };
}

/** Whether the conversation ends with results of calls that have no thoughts of this model. */
function isUnsigned(items: readonly ContextItem[], model: string): boolean {
  if (items.at(-1)?.role !== "tool") return false;
  const last = items.findLast((item) => item.role === "assistant");
  return last === undefined || thoughtsOf(last.calls[0]?.signedThoughts, model).beforeText.length === 0;
}

/**
 * The tools, which come before the instructions in what is cached. A conversation with calls needs tools, also where the
 * model is to answer without one.
 */
function toolsOf({
  tools,
  items,
  instructions,
}: ModelRequest): Pick<MessageCreateParamsStreaming, "tools" | "tool_choice"> {
  if (tools.length > 0) {
    const specs = tools.map(
      ({ name, description, inputSchema }): Tool => ({
        name,
        description,
        input_schema: { ...inputSchema, type: "object" },
      }),
    );
    const last = specs.at(-1);
    return {
      tools: last === undefined || instructions !== "" ? specs : [...specs.slice(0, -1), { ...last, ...CACHED }],
    };
  }
  const names = new Set(
    items.flatMap((item) => (item.role === "assistant" ? item.calls : [])).map(({ name }) => legalName(name)),
  );
  if (names.size === 0) return {};
  return {
    tools: [...names].map((name) => ({ name, input_schema: { type: "object" } })),
    tool_choice: { type: "none" },
  };
}

/** Messages of one role in a row are one, as the API has it; results of calls come first in theirs. */
function messagesOf(items: readonly ContextItem[], model: string): MessageParam[] {
  const idOf = callIds(items, isLegalId);
  const turns: Turn[] = [];
  for (const item of items) {
    const turn: Turn =
      item.role === "assistant"
        ? { role: "assistant", content: assistantBlocks(item, idOf, model) }
        : { role: "user", content: userBlocks(item, idOf) };
    if (turn.content.length > 0) turns.push(turn);
  }
  if (turns[0]?.role !== "user") turns.unshift(userTurn(START_PROMPT));
  if (endsWithPartial(items)) turns.push(userTurn(CONTINUE_PROMPT));
  else if (turns.at(-1)?.role === "assistant") turns.push(userTurn(GO_ON_PROMPT));
  return withBreakpoints(merged(turns));
}

type Turn =
  | { readonly role: "user"; readonly content: readonly UserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly ContentBlockParam[] };

const userTurn = (text: string): Turn => ({ role: "user", content: [{ type: "text", text }] });

function merged(turns: readonly Turn[]): Turn[] {
  const all: Turn[] = [];
  for (const turn of turns) {
    const last = all.at(-1);
    if (last?.role === "user" && turn.role === "user") {
      all.splice(-1, 1, { role: "user", content: resultsFirst([...last.content, ...turn.content]) });
    } else if (last?.role === "assistant" && turn.role === "assistant") {
      all.splice(-1, 1, { role: "assistant", content: [...last.content, ...turn.content] });
    } else all.push(turn);
  }
  return all;
}

const resultsFirst = (blocks: readonly UserBlock[]): UserBlock[] => [
  ...blocks.filter(({ type }) => type === "tool_result"),
  ...blocks.filter(({ type }) => type !== "tool_result"),
];

/**
 * The ends of the last two messages of the user are cached: the next request finds the last one, and an answer that is asked
 * for again the one before ("Prompt caching", breakpoints).
 */
function withBreakpoints(turns: readonly Turn[]): MessageParam[] {
  const ends = new Set(turns.filter(({ role }) => role === "user").slice(-2));
  return turns.map((turn): MessageParam => {
    if (turn.role === "assistant") return { role: "assistant", content: [...turn.content] };
    const last = turn.content.at(-1);
    if (!ends.has(turn) || last === undefined) return { role: "user", content: [...turn.content] };
    return { role: "user", content: [...turn.content.slice(0, -1), { ...last, ...CACHED }] };
  });
}

/** This API's messages have no `name`, so the text names the speaker. */
function userBlocks(item: ItemOf<"user" | "tool">, idOf: (ref: string) => string): UserBlock[] {
  if (item.role === "tool") {
    const text = resultText({ ...item, isError: false });
    const images = resultImages(item);
    const content =
      images.length === 0 ? text : [...contentBlock({ type: "text", text }), ...images.flatMap(contentBlock)];
    return [{ type: "tool_result", tool_use_id: idOf(item.ref), content, ...(item.isError ? { is_error: true } : {}) }];
  }
  const prefix = speakerPrefix(item.source);
  if (typeof item.content === "string") return [{ type: "text", text: `${prefix}${item.content}` }];
  return withPrefix(prefix, item.content).flatMap(contentBlock);
}

/** The API refuses a text of nothing but white space. */
function contentBlock(part: ContentPart): (TextBlockParam | ImageBlockParam)[] {
  if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  if (/^https?:/i.test(part.uri)) return [{ type: "image", source: { type: "url", url: part.uri } }];
  const [, type, data] = /^data:(image\/(?:png|jpeg|gif|webp));base64,(.*)$/is.exec(part.uri) ?? [];
  const mediaType = IMAGE_TYPES.find((one) => one === type?.toLowerCase());
  if (mediaType === undefined || data === undefined)
    return [{ type: "text", text: "[An image is not attached: it is not a PNG, JPEG, GIF or WebP image.]" }];
  return [{ type: "image", source: { type: "base64", media_type: mediaType, data } }];
}

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

function assistantBlocks(
  { content, calls }: ItemOf<"assistant">,
  idOf: (ref: string) => string,
  model: string,
): ContentBlockParam[] {
  const text: ContentBlockParam[] = content.trim() === "" ? [] : [{ type: "text", text: content }];
  if (calls.length === 0) return text;
  return calls.flatMap(({ ref, name, input, signedThoughts }, at): ContentBlockParam[] => {
    const { beforeText, afterText } = thoughtsOf(signedThoughts, model);
    return [
      ...beforeText,
      ...(at === 0 ? text : []),
      ...afterText,
      { type: "tool_use", id: idOf(ref), name: legalName(name), input: argumentsObject(input) },
    ];
  });
}

/** What the API accepts as the id of a call. */
const isLegalId = (id: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(id);
