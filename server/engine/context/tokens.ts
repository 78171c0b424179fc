import type { ContentPart } from "../../../shared/contract/message.ts";
import { IMAGE_TOKENS, textTokens } from "../../../shared/tokens.ts";
import { type OutputPart, outputParts } from "../../../shared/tool-output.ts";
import type { ContextItem, ToolSpec } from "../model.ts";

/** Tokens per item besides its text: role, name and separators (3 or 4 by OpenAI's count). */
const PER_ITEM = 4;

/** Estimates the tokens of an item. */
export function itemTokens(item: ContextItem): number {
  switch (item.role) {
    case "user":
      return PER_ITEM + contentTokens(item.content) + textTokens(item.source);
    case "assistant":
      return item.calls.reduce(
        (sum, { name, input }) => sum + PER_ITEM + textTokens(name) + jsonTokens(input),
        PER_ITEM + textTokens(item.content),
      );
    case "tool":
      return PER_ITEM + outputTokens(item.output);
    default:
      return item satisfies never;
  }
}

/** Estimates the tokens of a request without its conversation. */
export function frameTokens(instructions: string, tools: readonly ToolSpec[], schema?: unknown): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + PER_ITEM + textTokens(name) + textTokens(description) + jsonTokens(inputSchema),
    PER_ITEM + textTokens(instructions) + (schema === undefined ? 0 : jsonTokens(schema)),
  );
}

function contentTokens(content: Extract<ContextItem, { readonly role: "user" }>["content"]): number {
  if (typeof content === "string") return textTokens(content);
  return partTokens(content);
}

const partTokens = (parts: readonly (ContentPart | OutputPart)[]): number =>
  parts.reduce((sum, part) => sum + (part.type === "text" ? textTokens(part.text) : IMAGE_TOKENS), 0);

/** Estimates the tokens of a tool's output. */
export function outputTokens(output: unknown): number {
  const parts = outputParts(output);
  return parts === undefined ? jsonTokens(output) : partTokens(parts);
}

/** Estimates the tokens of a value: of a text, or of its JSON. */
function jsonTokens(value: unknown): number {
  return textTokens(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
