import type { ChatMessage, ContentPart, Resource } from "./message.ts";

/**
 * The text of a message: its sender's words. Images and attached resources become a placeholder, structured content its
 * JSON.
 */
export function textOf(message: Pick<ChatMessage, "content">): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map(partText).join("\n");
}

function partText(part: ContentPart): string {
  if (part.type === "image") return `[image ${part.mimeType ?? ""}]`;
  return part.resource === undefined ? part.text : `[${resourceLabel(part.resource)}]`;
}

/** The name of an attached resource, with its lines: `src/split.js:3-9`. */
export function resourceLabel({ name, lines }: Pick<Resource, "name" | "lines">): string {
  if (lines === undefined) return name;
  return lines.start === lines.end ? `${name}:${lines.start}` : `${name}:${lines.start}-${lines.end}`;
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
