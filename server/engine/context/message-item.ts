import type { ChatMessage } from "../../../shared/contract/message.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { ContextItem } from "../model.ts";
import { handoffText } from "./handoff-message.ts";
import { structuredText } from "./structured-message.ts";

/** A message as `participant`'s model is shown it, or nothing where the model has said the same by a call of its own. */
export function messageItem(message: ChatMessage, participant: string): ContextItem | undefined {
  return message.source === participant ? ownItem(message) : othersItem(message, participant);
}

/** Of its handoffs a participant is shown the call and its result, as it made them. */
function ownItem(message: ChatMessage): ContextItem | undefined {
  if (message.type === "HandoffMessage") return undefined;
  return {
    role: "assistant",
    content: structuredText(message) ?? textOf(message),
    calls: [],
    ...(message.partial === undefined ? {} : { partial: true as const }),
  };
}

function othersItem(message: ChatMessage, participant: string): ContextItem {
  const { source, content, metadata } = message;
  const directedTo = metadata?.["to"];
  return {
    role: "user",
    source,
    content: Array.isArray(content)
      ? content
      : (handoffText(message, participant) ?? structuredText(message) ?? textOf(message)),
    ...(typeof directedTo === "string" ? { directedTo } : {}),
  };
}
