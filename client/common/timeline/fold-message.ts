import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { HandoffItem, MessageItem } from "./items.ts";
import type { TimelineDraft } from "./timeline-draft.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

/** The key of what an event shows. */
export const keyOf = ({ seq }: { readonly seq: number }): string => `e${seq}`;

/** The id of a message: its key or, from a loaded state, what follows the event's key and a dash. */
export const messageIdOf = (key: string): string => /^e\d+-(.*)$/s.exec(key)?.[1] ?? key;

/** A message as it is shown. */
export function itemOf(message: ChatMessage, over: Partial<MessageItem> = {}): MessageItem {
  const to = message.metadata?.["to"];
  const { content, usage, model } = message;
  return {
    kind: "message",
    key: message.id,
    at: message.createdAt,
    source: message.source,
    type: message.type,
    text: textOf(message),
    state: message.partial === true ? "partial" : "complete",
    ...(typeof to === "string" ? { to } : {}),
    ...(message.metadata?.["visibility"] === "target" ? { onlyTarget: true } : {}),
    ...(message.metadata?.["edited"] === true ? { edited: true } : {}),
    ...(usage === undefined ? {} : { usage }),
    ...(model === undefined ? {} : { model }),
    ...(Array.isArray(content) ? { parts: content } : {}),
    ...(message.type === "StructuredMessage" ? { data: answerOf(message) } : {}),
    ...over,
  };
}

/** The value of a structured message. An answer that is not an object is `wrapped`: its content has it as `value`. */
function answerOf({ content, metadata }: ChatMessage): unknown {
  const wrapped = metadata?.["wrapped"] === true && typeof content === "object" && !Array.isArray(content);
  return wrapped ? content["value"] : content;
}

/** Adds a message, or completes the one that is streaming under its id. */
export function addMessage(draft: TimelineDraft, message: ChatMessage): void {
  draft.endRetry(message.source);
  draft.teams.end(message.source, message.partial === true ? "stopped" : "answered");
  if (message.type === "HandoffMessage") {
    addHandoffMessage(draft, message);
    return;
  }
  const directed =
    message.type === "UserTextMessage" && draft.directedTo !== null ? { to: draft.directedTo } : undefined;
  if (draft.beginsRun !== undefined && !draft.speakers.includes(message.source)) {
    draft.began.set(message.id, draft.beginsRun);
    draft.beginsRun = false;
  }
  const item = itemOf(message, { ...directed, ...withinRun(draft, message) });
  const { last } = draft;
  if (last?.kind === "thought" && last.source === item.source && last.text === item.text) draft.items.pop();
  if (!draft.closeMessage(message.id, ({ at }) => ({ ...item, at }))) draft.push(item);
}

/** Marks a message that is known to have begun no run. */
export const withinRun = ({ began }: TimelineDraft, { id }: ChatMessage): Pick<MessageItem, "withinRun"> =>
  began.get(id) === false ? { withinRun: true } : {};

/** A handoff is an event and a message. They are shown as one item, whichever comes first. */
function addHandoffMessage(draft: TimelineDraft, message: ChatMessage): void {
  draft.closeMessage(message.id, () => null);
  const { last } = draft;
  const details = handoffDetails(message);
  if (last?.kind === "handoff" && last.from === message.source && last.text === undefined) {
    draft.change("handoff", last.key, (item) => ({
      ...item,
      ...details,
      ...(item.to === undefined ? {} : { to: item.to }),
    }));
  } else draft.push({ kind: "handoff", key: message.id, at: message.createdAt, from: message.source, ...details });
}

function handoffDetails(message: ChatMessage): Pick<HandoffItem, "to" | "context"> & { readonly text: string } {
  const { target, context } = message.metadata ?? {};
  return {
    text: textOf(message),
    ...(typeof target === "string" ? { to: target } : {}),
    ...(Array.isArray(context) && context.length > 0 ? { context } : {}),
  };
}

/** Sets the addressee of the user's messages at the end of the draft. */
export function addressLastMessages(draft: TimelineDraft, to: string): void {
  for (let index = draft.items.length - 1; index >= 0; index--) {
    const item = draft.items[index];
    if (item?.kind !== "message" || item.type !== "UserTextMessage" || item.to !== undefined) return;
    draft.items[index] = { ...item, to };
  }
}

/** The text that a model returned beside its calls completes its streaming message; an empty one is removed. */
export function closeStreamedText(draft: TimelineDraft, event: EventOf<"tool/requested">): void {
  const { participant, content, at } = event;
  const complete = (text: string): Pick<MessageItem, "text" | "state"> => ({ text, state: "complete" });
  let closed = false;
  for (const [id, source] of [...draft.messages]) {
    if (source !== participant) continue;
    closed = true;
    draft.closeMessage(id, (item) => {
      const text = content ?? item.text;
      return text.trim() === "" ? null : { ...item, ...complete(text) };
    });
  }
  if (closed || content === undefined || content.trim() === "") return;
  const key = `${keyOf(event)}-text`;
  draft.push({ kind: "message", key, at, source: participant, type: "TextMessage", ...complete(content) });
}
