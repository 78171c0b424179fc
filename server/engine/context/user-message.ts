import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { QueuedMessage } from "../../../shared/contract/team.ts";
import { newId } from "../id.ts";

/** What the user, or the participant that speaks as one, says to one participant. */
export interface DirectedMessage extends Pick<QueuedMessage, "id" | "to" | "messages" | "visibility"> {
  readonly by: string;
}

/** The messages of the thread that it becomes: `metadata.to` names the target, `metadata.visibility` who is shown it. */
export function threadMessages({ by, to, messages, visibility }: DirectedMessage): ChatMessage[] {
  return messages.map((content) => ({
    id: newId("msg"),
    type: "UserTextMessage",
    source: by,
    content,
    createdAt: new Date().toISOString(),
    metadata: { to, ...(visibility === "target" ? { visibility } : {}) },
  }));
}

/** True when a message is for one participant's eyes alone. A manager's model is shown it all the same. */
export const isHidden = ({ metadata }: ChatMessage): boolean => metadata?.["visibility"] === "target";

/** True when a message is for one participant's eyes alone, and `participant` is another. */
export function isHiddenFrom(message: ChatMessage, participant: string): boolean {
  return isHidden(message) && message.metadata?.["to"] !== participant;
}

/** The same message for the eyes of all: what only one participant was to see, where that one is a team. */
export function visibleToAll(message: ChatMessage): ChatMessage {
  if (!isHidden(message)) return message;
  const { visibility, ...metadata } = message.metadata ?? {};
  return { ...message, metadata };
}
