import type { ChatMessage, Usage } from "../../../shared/contract/message.ts";
import { isRecord } from "../../../shared/json-record.ts";
import type { Reply } from "./reply.ts";

/**
 * An answer that fits its schema as a message. A message's content is an object; a schema that asks for anything else (a
 * list, a number) has its answer in the content's `value`, and `metadata.wrapped` says so.
 */
export function structuredReply(value: unknown, usage: Usage | undefined): Reply {
  const cost = usage === undefined ? {} : { usage };
  if (isRecord(value)) return { type: "StructuredMessage", content: value, ...cost };
  return { type: "StructuredMessage", content: { value }, metadata: { wrapped: true }, ...cost };
}

/** The JSON that a structured message was made of, or undefined for other messages. */
export function structuredText({ type, content, metadata }: ChatMessage): string | undefined {
  if (type !== "StructuredMessage" || !isRecord(content)) return undefined;
  return JSON.stringify(metadata?.["wrapped"] === true ? content["value"] : content);
}
