import type { CallToolResult, ContentBlock, ReadResourceResult } from "@modelcontextprotocol/client";
import { isRecord } from "../../shared/json-record.ts";
import { parseJson } from "../../shared/parse-json.ts";
import type { OutputPart } from "../../shared/tool-output.ts";

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** A result as the output of a tool: text, JSON, or parts with images. @throws Error with the text of an error result. */
export function resultOutput({ content, structuredContent, isError }: CallToolResult): unknown {
  const parts = content.map(partOf);
  if (isError === true) {
    const text = parts.map(textOf).join("\n").trim();
    throw new Error(text === "" ? "The tool failed and gave no reason." : text);
  }
  if (structuredContent === undefined) return outputOf(parts);
  if (parts.length === 0) return structuredContent;
  return parts.some((part) => part.type === "text" && isSameJson(part.text, structuredContent))
    ? outputOf(parts)
    : outputOf([...parts, { type: "text", text: JSON.stringify(structuredContent) }]);
}

/** The contents of a resource as the output of a tool. */
export const contentsOutput = (contents: ReadResourceResult["contents"]): unknown =>
  outputOf(contents.map(contentPart));

function outputOf(parts: readonly OutputPart[]): unknown {
  return parts.some(({ type }) => type === "image") ? { content: parts } : parts.map(textOf).join("\n");
}

const textOf = (part: OutputPart): string => (part.type === "text" ? part.text : "[Image]");

function partOf(block: ContentBlock): OutputPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return image(block.mimeType, block.data) ?? note("Image", block.mimeType);
    case "audio":
      return note("Audio", block.mimeType);
    case "resource":
      return contentPart(block.resource);
    case "resource_link": {
      const about = block.description === undefined ? "" : `: ${block.description}`;
      return { type: "text", text: `[Resource ${block.uri} (${block.name})${about}]` };
    }
  }
}

function contentPart(resource: ReadResourceResult["contents"][number]): OutputPart {
  if ("text" in resource) return { type: "text", text: resource.text };
  const { mimeType = "unknown type", blob } = resource;
  return image(mimeType, blob) ?? note(`Resource ${resource.uri}`, mimeType);
}

function image(mimeType: string, data: string): OutputPart | undefined {
  if (!IMAGE_TYPES.includes(mimeType)) return undefined;
  return { type: "image", uri: `data:${mimeType};base64,${data}`, mimeType };
}

const note = (what: string, mimeType: string): OutputPart => ({
  type: "text",
  text: `[${what} (${mimeType}), which cannot be shown]`,
});

function isSameJson(text: string, value: unknown): boolean {
  try {
    const parsed = parseJson(text);
    return isRecord(parsed) && JSON.stringify(parsed) === JSON.stringify(value);
  } catch {
    return false;
  }
}
