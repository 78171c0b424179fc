import * as z from "zod";
import { ModelInfo } from "./model-choice.ts";

/**
 * What a text part is the content of, if it is not the sender's own words: something that the user attached. `name` is a
 * file's path as users know it, or another title; a `resource` is one of an MCP server. `lines` are counted from 1, both
 * included.
 */
export const Resource = z.object({
  kind: z.enum(["file", "selection", "problems", "terminal", "resource"]),
  name: z.string().min(1).max(1000),
  uri: z.string().max(10_000).optional(),
  lines: z.object({ start: z.number().int().min(1), end: z.number().int().min(1) }).optional(),
});
export type Resource = z.infer<typeof Resource>;

/** A part of a multi-modal message. An image is a data URI or a file URI. */
export const ContentPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), resource: Resource.optional() }),
  z.object({ type: z.literal("image"), uri: z.string(), mimeType: z.string().optional() }),
]);
export type ContentPart = z.infer<typeof ContentPart>;

/** Tokens, as counted by the model's endpoint. */
export const Usage = z.object({
  prompt: z.number(),
  completion: z.number(),
  total: z.number(),
  /** US dollars, if the model's price is known. */
  cost: z.number().optional(),
  /** The host counted at least a part of it, roughly, because the model did not report it. */
  estimated: z.literal(true).optional(),
});
export type Usage = z.infer<typeof Usage>;

export const ChatMessageType = z.enum([
  "TextMessage",
  "UserTextMessage",
  "MultiModalMessage",
  "StopMessage",
  "HandoffMessage",
  "ToolCallSummaryMessage",
  "StructuredMessage",
]);
export type ChatMessageType = z.infer<typeof ChatMessageType>;

/**
 * One message of the thread. `partial` marks text that an interrupt, a failure or a crash cut short. It is kept, and counts
 * as a message.
 */
export const ChatMessage = z.object({
  id: z.string(),
  type: ChatMessageType,
  source: z.string(),
  content: z.union([z.string(), z.array(ContentPart), z.record(z.string(), z.unknown())]),
  createdAt: z.string(),
  partial: z.literal(true).optional(),
  usage: Usage.optional(),
  /** What wrote it; none for a message of a user or a program. Messages of version 0.3.0 do not have it. */
  model: ModelInfo.optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;
