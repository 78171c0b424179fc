import type { CallToolResult, ContentBlock, ReadResourceResult } from "@modelcontextprotocol/client";
import { imageType } from "../../shared/image-type.ts";
import { isRecord } from "../../shared/json-record.ts";
import { LIMITS } from "../../shared/limits.ts";
import { parseJson } from "../../shared/parse-json.ts";
import { sizeProblem } from "../../shared/size-problem.ts";
import type { OutputPart } from "../../shared/tool-output.ts";

/** The largest image, in bytes: as a data URI, what every provider accepts. */
const MAX_IMAGE = 3.5 * 1024 * 1024;

/** A result as the output of a tool: text, JSON, or parts with images. @throws Error with the text of an error result. */
export function resultOutput({ content, structuredContent, isError }: CallToolResult): unknown {
  const parts = content.map(partOf);
  if (isError === true) {
    const text = parts.map(textOf).join("\n").trim();
    throw new Error(text === "" ? "The tool failed and gave no reason." : text);
  }
  if (structuredContent === undefined) return outputOf(parts);
  if (parts.length === 0) return structuredContent;
  if (sizeProblem(structuredContent, LIMITS.value) !== undefined) return outputOf(parts);
  const text = JSON.stringify(structuredContent);
  return parts.some((part) => part.type === "text" && isSameJson(part.text, text))
    ? outputOf(parts)
    : outputOf([...parts, { type: "text", text }]);
}

/** The contents of a resource as the output of a tool. */
export const contentsOutput = (contents: ReadResourceResult["contents"]): unknown =>
  outputOf(contents.map(contentPart));

function outputOf(parts: readonly OutputPart[]): unknown {
  return parts.some(({ type }) => type === "image") ? { content: parts } : parts.map(textOf).join("\n");
}

const textOf = (part: OutputPart): string => (part.type === "text" ? part.text : "[Image]");

/** A block of a result or a prompt as text or an image. */
export function partOf(block: ContentBlock): OutputPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return image(block.data) ?? note("Image", block.mimeType);
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

/** One content of a resource as text or an image. */
export function contentPart(resource: ReadResourceResult["contents"][number]): OutputPart {
  if ("text" in resource) return { type: "text", text: resource.text };
  const { mimeType = "unknown type", blob } = resource;
  return image(blob) ?? note(`Resource ${resource.uri}`, mimeType);
}

/**
 * Undefined for what models do not accept as an image: it would stay in the conversation, and every request with it would
 * fail.
 */
function image(data: string): OutputPart | undefined {
  const bytes = Buffer.from(data, "base64");
  const mimeType = imageType(bytes);
  if (mimeType === undefined || bytes.length > MAX_IMAGE) return undefined;
  return { type: "image", uri: `data:${mimeType};base64,${bytes.toString("base64")}`, mimeType };
}

const note = (what: string, mimeType: string): OutputPart => ({
  type: "text",
  text: `[${what} (${mimeType}), which cannot be shown]`,
});

/** Whether `text` is that JSON, perhaps with spaces. */
function isSameJson(text: string, json: string): boolean {
  if (text.length < json.length) return false;
  try {
    const parsed = parseJson(text);
    return isRecord(parsed) && JSON.stringify(parsed) === json;
  } catch {
    return false;
  }
}
