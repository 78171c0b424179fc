import type { ContentPart } from "../../shared/contract/message.ts";

interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly part: ContentPart;
}

/**
 * The words of a prompt as one text; where it is a conversation, each says who speaks. It is never a slash command, and
 * addressed to no one: a server does not decide that.
 */
export function promptText(messages: readonly PromptMessage[], name: string): string {
  const isConversation = messages.some(({ role }) => role === "assistant");
  const text = messages
    .flatMap(({ role, part }) => {
      if (part.type !== "text" || part.resource !== undefined || part.text.trim() === "") return [];
      const speaker = role === "user" ? "User" : "Assistant";
      return [isConversation ? `${speaker}: ${part.text.trim()}` : part.text.trim()];
    })
    .join("\n\n");
  return /^[/@]/.test(text) ? `${name}:\n\n${text}` : text;
}

/** A name for the content of a resource: the last part of its URI. */
export function contentName(uri: string): string {
  const path = uri.replace(/[?#].*$/s, "");
  const name = path.slice(path.lastIndexOf("/") + 1).slice(-200);
  return name.trim() === "" ? "resource.txt" : name;
}
