import type { ChatMessage } from "./message.ts";

/** The text of a message: images become a placeholder, structured content its JSON. */
export function textOf(message: Pick<ChatMessage, "content">): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map((part) => (part.type === "text" ? part.text : `[image ${part.mimeType ?? ""}]`)).join("\n");
}

/** The first line that is not blank, cut to `limit` characters. */
export function firstLine(text: string, limit = 120): string {
  const line =
    text
      .split("\n")
      .find((candidate) => candidate.trim() !== "")
      ?.trim() ?? "";
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** The number of words in a text: runs of characters other than white space. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
