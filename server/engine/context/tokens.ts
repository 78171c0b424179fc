import type { ContextItem, ToolSpec } from "../model.ts";

/** What an item takes beside its text: its role, its name and the marks around it (OpenAI's own count is 3 or 4). */
const PER_ITEM = 4;

/** What an image takes: OpenAI's count for one of middling size in high detail. */
const PER_IMAGE = 800;

/** How many characters of Latin script, code or JSON a token has: 4 in English prose, 3 in dense code. */
const PER_TOKEN = 3.5;

/**
 * How many tokens a model would count in a text, about. Tokenizers differ from model to model and weigh a megabyte, so this
 * counts characters: 3.5 of ASCII to a token, and a token for each other UTF-16 unit, as Chinese, Japanese and emoji take.
 * It errs on the side of too many.
 */
export function textTokens(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 128) ascii++;
  return Math.ceil(ascii / PER_TOKEN) + (text.length - ascii);
}

/** How many tokens an item takes, about. */
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
      return PER_ITEM + jsonTokens(item.output);
    default:
      return item satisfies never;
  }
}

/** How many tokens a request takes before anything of the conversation is in it, about. */
export function frameTokens(instructions: string, tools: readonly ToolSpec[], schema?: unknown): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + PER_ITEM + textTokens(name) + textTokens(description) + jsonTokens(inputSchema),
    PER_ITEM + textTokens(instructions) + (schema === undefined ? 0 : jsonTokens(schema)),
  );
}

function contentTokens(content: Extract<ContextItem, { readonly role: "user" }>["content"]): number {
  if (typeof content === "string") return textTokens(content);
  return content.reduce((sum, part) => sum + (part.type === "text" ? textTokens(part.text) : PER_IMAGE), 0);
}

function jsonTokens(value: unknown): number {
  return textTokens(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
