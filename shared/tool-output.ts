import { isRecord } from "./json-record.ts";

/** A part of a tool's output that has images. An image is a data URI. */
export type OutputPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly uri: string; readonly mimeType?: string };

/** The output of a tool that gives images beside text. Any other output is text, or JSON. */
export interface OutputWithImages {
  readonly content: readonly OutputPart[];
}

/**
 * The parts of an output that has images; undefined for any other. An image counts only if the output contains it: what a
 * tool of a client or a server names, such as a `file:` address, is never read for it.
 */
export function outputParts(output: unknown): readonly OutputPart[] | undefined {
  if (!isRecord(output) || Object.keys(output).length !== 1) return undefined;
  const { content } = output;
  if (!Array.isArray(content) || !content.some(isImage) || !content.every(isPart)) return undefined;
  return content;
}

/** An output to read: text as it is, each image as a note, anything else as JSON. */
export function outputText(output: unknown, indent?: number): string {
  if (typeof output === "string") return output;
  const parts = outputParts(output);
  if (parts === undefined) return JSON.stringify(output, undefined, indent) ?? "null";
  return parts.map((part) => (part.type === "text" ? part.text : imageNote(part.uri))).join("\n");
}

/** The output without its images, for a model that reads none; any other output as it is. */
export function withoutImages(output: unknown): unknown {
  return outputParts(output) === undefined ? output : `${outputText(output)}\n[This model does not read images.]`;
}

const imageNote = (uri: string): string => `[Image: ${uri.slice("data:".length, uri.indexOf(";"))}]`;

const IMAGE_URI = /^data:image\/(?:png|jpeg|gif|webp);base64,/;

const isImage = (part: unknown): boolean =>
  isRecord(part) && part["type"] === "image" && typeof part["uri"] === "string" && IMAGE_URI.test(part["uri"]);

const isPart = (part: unknown): part is OutputPart =>
  isImage(part) || (isRecord(part) && part["type"] === "text" && typeof part["text"] === "string");
