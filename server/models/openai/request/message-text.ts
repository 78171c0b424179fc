import type { ContentPart } from "../../../../shared/contract/message.ts";
import type { ContextItem } from "../../../engine/model.ts";

/** Added after a message that was cut short, so that the model knows that it is to go on and not to answer. */
export const GO_ON =
  "Your last message was interrupted. Go on from exactly where it stopped, without repeating any of it and without " +
  "remarking on the interruption.";

/** Whether the talk ends with an own message that was cut short. */
export function endsCutShort(items: readonly ContextItem[]): boolean {
  const last = items.at(-1);
  return last?.role === "assistant" && last.partial === true && last.calls.length === 0 && last.content !== "";
}

/** What says in the text who spoke: AutoGen's form (autogen_ext.models.openai, `add_name_prefixes`). */
export const saidBy = (source: string): string => `${source} said:\n`;

/** Content with that text before it, in its first part where that is a text. */
export function prefixed(prefix: string, parts: readonly ContentPart[]): readonly ContentPart[] {
  const [first, ...rest] = parts;
  if (prefix === "") return parts;
  if (first?.type === "text") return [{ type: "text", text: `${prefix}${first.text}` }, ...rest];
  return [{ type: "text", text: prefix.trimEnd() }, ...parts];
}

/** The arguments of an own call. Endpoints that read them (Ollama, vLLM) take an object and nothing else, so what a model garbled is wrapped in one. */
export function argumentsText(input: unknown): string {
  if (input === undefined || input === null) return "{}";
  const isObject = typeof input === "object" && !Array.isArray(input);
  return JSON.stringify(isObject ? input : { input });
}

/** The result of a call as text. */
export function resultText({ output, isError }: Extract<ContextItem, { readonly role: "tool" }>): string {
  const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "null");
  return isError ? `ERROR: ${text}` : text;
}
