import type { ChatMessage, Usage } from "../../../shared/contract/message.ts";
import { isRecord } from "../../../shared/json-record.ts";
import type { Reply } from "./reply.ts";

/**
 * A message with an answer that matches its schema. The content of a message is an object; another JSON value, such as a
 * list or a number, is put in the content's `value`, with `metadata.wrapped` set.
 */
export function structuredReply(value: unknown, usage: Usage | undefined): Reply {
  const cost = usage === undefined ? {} : { usage };
  if (isRecord(value)) return { type: "StructuredMessage", content: value, ...cost };
  return { type: "StructuredMessage", content: { value }, metadata: { wrapped: true }, ...cost };
}

/** The JSON of a structured message; undefined for another message. */
export function structuredText({ type, content, metadata }: ChatMessage): string | undefined {
  if (type !== "StructuredMessage" || !isRecord(content)) return undefined;
  return JSON.stringify(metadata?.["wrapped"] === true ? content["value"] : content);
}
