import type { ContentPart } from "../../../shared/contract/message.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { outputParts, outputText } from "../../../shared/tool-output.ts";
import type { ContextItem } from "../../engine/model.ts";

/** The items of a conversation that have this role. */
export type ItemOf<Role extends ContextItem["role"]> = Extract<ContextItem, { readonly role: Role }>;

/** For APIs in which a conversation has to begin with the user. */
export const START_PROMPT = "The conversation starts here.";
/** For APIs in which a conversation has to end with the user: no model continues a message of its own there. */
export const GO_ON_PROMPT = "Continue the conversation.";

/** Added after an interrupted message, so that the model continues it instead of answering. */
export const CONTINUE_PROMPT =
  "Your last message was interrupted. Continue from exactly where it stopped. Do not repeat any of it and do not " +
  "comment on the interruption.";

/** Whether the conversation ends with a partial message of the model itself. */
export function endsWithPartial(items: readonly ContextItem[]): boolean {
  const last = items.at(-1);
  return last?.role === "assistant" && last.partial === true && last.calls.length === 0 && last.content !== "";
}

/** Names the speaker in the text, in AutoGen's form (autogen_ext.models.openai, `add_name_prefixes`). */
export const speakerPrefix = (source: string): string => `${source} said:\n`;

/** The content with the prefix in front, joined with its first part where that is text. */
export function withPrefix(prefix: string, parts: readonly ContentPart[]): readonly ContentPart[] {
  const [first, ...rest] = parts;
  if (prefix === "") return parts;
  if (first?.type === "text") return [{ type: "text", text: `${prefix}${first.text}` }, ...rest];
  return [{ type: "text", text: prefix.trimEnd() }, ...parts];
}

/**
 * A call's arguments as JSON. Endpoints that parse them (Ollama, vLLM) accept only an object, so anything else is
 * wrapped in one.
 */
export function argumentsText(input: unknown): string {
  if (input === undefined || input === null) return "{}";
  const isObject = typeof input === "object" && !Array.isArray(input);
  return JSON.stringify(isObject ? input : { input });
}

/** A call's arguments as an object, which is all that some APIs accept. */
export function argumentsObject(input: unknown): Readonly<Record<string, unknown>> {
  if (input === undefined || input === null) return {};
  return isRecord(input) ? input : { input };
}

/** The result of a call as text, with a note in place of each image. */
export function resultText({ output, isError }: Extract<ContextItem, { readonly role: "tool" }>): string {
  const text = outputText(output);
  return isError ? `ERROR: ${text}` : text;
}

/** The images of a call's result, of a type that models accept. */
export function resultImages({ output }: Extract<ContextItem, { readonly role: "tool" }>): readonly ImagePart[] {
  return outputParts(output)?.filter((part) => part.type === "image") ?? [];
}

type ImagePart = Extract<ContentPart, { readonly type: "image" }>;

/** Names the images of results where an API takes them only in a message of their own. */
export const imagesIntroduction = (name: string): string => `[The images in the result of ${name}:]`;
