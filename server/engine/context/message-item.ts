import type { ChatMessage } from "../../../shared/contract/message.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { ContextItem } from "../model.ts";
import { shownParts } from "./attached-resource.ts";
import { handoffText } from "./handoff-message.ts";
import { structuredText } from "./structured-message.ts";

/** A message as `participant`'s model sees it; undefined if the model sees its own call instead. */
export function messageItem(message: ChatMessage, participant: string): ContextItem | undefined {
  return message.source === participant ? ownItem(message) : othersItem(message, participant);
}

/** For its own handoffs, a participant sees the call and its result. */
function ownItem(message: ChatMessage): ContextItem | undefined {
  if (message.type === "HandoffMessage") return undefined;
  return {
    role: "assistant",
    content: structuredText(message) ?? textOf(message),
    calls: [],
    ...(message.partial === undefined ? {} : { partial: true as const }),
  };
}

/** A message as a model sees it that has no part in it, or as the model of `participant`, which may be its target. */
export function othersItem(message: ChatMessage, participant = ""): ContextItem {
  const { source, content, metadata } = message;
  const directedTo = metadata?.["to"];
  return {
    role: "user",
    source,
    content: Array.isArray(content)
      ? shownParts(content)
      : (handoffText(message, participant) ?? structuredText(message) ?? textOf(message)),
    ...(typeof directedTo === "string" ? { directedTo } : {}),
  };
}
