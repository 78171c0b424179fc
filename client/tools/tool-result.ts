import * as vscode from "vscode";
import { imageType } from "../../shared/image-type.ts";
import { isRecord } from "../../shared/json-record.ts";
import type { OutputPart } from "../../shared/tool-output.ts";

/** How much text of a result a model gets, in characters. */
const MAX_TEXT = 200_000;
/** The largest image that is kept, in bytes, and how many. */
const MAX_IMAGE = 5 * 1024 * 1024;
const MAX_IMAGES = 10;
/** How deep prompts of prompt-tsx are read. */
const MAX_DEPTH = 100;

/** What a tool of an extension gave, as the protocol has it: text, or text and images. */
export function outputOf({ content }: vscode.LanguageModelToolResult): unknown {
  const parts = limited(content.flatMap((part) => partOf(part)));
  if (parts.some(({ type }) => type === "image")) return { content: parts };
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function partOf(part: unknown): OutputPart | readonly OutputPart[] {
  if (part instanceof vscode.LanguageModelTextPart) return text(part.value);
  if (part instanceof vscode.LanguageModelPromptTsxPart) return text(promptText(part.value, 0).trim());
  const data = dataOf(part);
  if (data === undefined) return text("[A part of the result has a form that Gavel does not know.]");
  const { bytes, mimeType } = data;
  if (/^text\/|^application\/(?:[\w.-]+\+)?json$/.test(mimeType)) return text(new TextDecoder().decode(bytes));
  const type = imageType(bytes);
  if (type !== undefined && bytes.length <= MAX_IMAGE)
    return { type: "image", uri: `data:${type};base64,${Buffer.from(bytes).toString("base64")}`, mimeType: type };
  return text(`[${bytes.length} bytes of ${mimeType.slice(0, 100)} are left out.]`);
}

const text = (value: string): OutputPart => ({ type: "text", text: value });

/** Versions of VS Code before data parts do not have their class. */
function dataOf(part: unknown): { readonly bytes: Uint8Array; readonly mimeType: string } | undefined {
  if (!isRecord(part)) return undefined;
  const { data, mimeType } = part;
  return data instanceof Uint8Array && typeof mimeType === "string" ? { bytes: data, mimeType } : undefined;
}

/** The texts of what `renderElementJSON` of @vscode/prompt-tsx gives. */
function promptText(value: unknown, depth: number): string {
  if (!isRecord(value) || depth > MAX_DEPTH) return "";
  const { node = value } = value;
  if (!isRecord(node)) return "";
  if (typeof node["text"] === "string") return `${node["lineBreakBefore"] ? "\n" : ""}${node["text"]}`;
  const { children } = node;
  return Array.isArray(children) ? children.map((child: unknown) => promptText(child, depth + 1)).join("") : "";
}

/** The parts within the limits, with a note in place of what is left out. */
function limited(parts: readonly OutputPart[]): readonly OutputPart[] {
  let left = MAX_TEXT;
  let images = 0;
  return parts.flatMap((part): OutputPart[] => {
    if (part.type === "image") return ++images > MAX_IMAGES ? [text("[An image is left out.]")] : [part];
    const shown = part.text.slice(0, Math.max(0, left));
    left -= part.text.length;
    const cut = part.text.length - shown.length;
    return cut === 0 ? [part] : [text(`${shown}\n[${cut.toLocaleString("en")} characters are left out.]`)];
  });
}
