import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { QueuedMessage } from "../../../shared/contract/team.ts";
import { newId } from "../id.ts";

/** A message that the user, or a participant that speaks for the user, sends to one participant or to the whole team. */
export interface UserMessage extends Pick<QueuedMessage, "id" | "to" | "messages" | "visibility" | "context"> {
  readonly by: string;
}

/** A message to one participant. */
export interface DirectedMessage extends UserMessage {
  readonly to: string;
}

/** A waiting message, when it is delivered. `user` is the sender of those that name none. */
export const userMessage = <T extends QueuedMessage>(
  { id, to, messages, by, visibility, context }: T,
  user: string,
): UserMessage & { readonly to: T["to"] } => ({
  id,
  to,
  messages,
  by: by ?? user,
  ...(visibility === undefined ? {} : { visibility }),
  ...(context === undefined ? {} : { context }),
});

/** False for a message to the whole team. */
export const hasAddressee = <T extends { readonly to?: string | undefined }>(
  message: T,
): message is T & { readonly to: string } => message.to !== undefined;

/**
 * Its messages in the thread: `metadata.to` is the addressee, `metadata.visibility` says who sees it. The last one has what
 * the user attached.
 */
export function threadMessages({ by, to, messages, visibility, context = [] }: UserMessage): ChatMessage[] {
  return messages.map((text, index) => ({
    id: newId("msg"),
    type: "UserTextMessage",
    source: by,
    content: context.length > 0 && index === messages.length - 1 ? [{ type: "text", text }, ...context] : text,
    createdAt: new Date().toISOString(),
    ...(to === undefined ? {} : { metadata: { to, ...(visibility === "target" ? { visibility } : {}) } }),
  }));
}

/** The messages of an interrupt of reasoning that tells its participant what to do instead. */
export const redirectionMessages = (
  to: string,
  { by, text }: { readonly by: string; readonly text: string },
): ChatMessage[] => threadMessages({ id: newId("user"), by, to, messages: [text] });

/** True for a message that only its addressee sees. Managers' models still see it. */
export const isHidden = ({ metadata }: ChatMessage): boolean => metadata?.["visibility"] === "target";

/** True for a message that only its addressee sees, and that is not `participant`. */
export function isHiddenFrom(message: ChatMessage, participant: string): boolean {
  return isHidden(message) && message.metadata?.["to"] !== participant;
}

/** The message without its restriction, for a nested team: all its participants may see what was sent to the team alone. */
export function visibleToAll(message: ChatMessage): ChatMessage {
  if (!isHidden(message)) return message;
  const { visibility, ...metadata } = message.metadata ?? {};
  return { ...message, metadata };
}
