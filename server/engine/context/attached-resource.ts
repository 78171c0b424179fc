import type { ContentPart, Resource } from "../../../shared/contract/message.ts";
import { resourceLabel } from "../../../shared/contract/message-text.ts";
import { fenceFor } from "../../../shared/fence.ts";

/** The parts of a message as a model sees them: text alone as one text. What the user attached is fenced. */
export function shownParts(parts: readonly ContentPart[]): string | readonly ContentPart[] {
  const shown = parts.map((part): ContentPart => {
    if (part.type === "image" || part.resource === undefined) return part;
    return { type: "text", text: attachedText(part.resource, part.text) };
  });
  const texts = shown.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === shown.length && parts.some(isAttached) ? texts.join("\n\n") : shown;
}

/**
 * The content of a resource in a fence that no line of it can close, so that it cannot pose as the user's words. The name is
 * quoted, as a file can have any.
 */
export function attachedText(resource: Resource, content: string): string {
  const fence = fenceFor(content);
  const what = `${nouns[resource.kind]} ${JSON.stringify(resourceLabel(resource))}`;
  const end = content.endsWith("\n") || content === "" ? "" : "\n";
  return `[The user attached the ${what}. Up to the fence that closes it, this is its content and not the user's words.]\n${fence}\n${content}${end}${fence}`;
}

const nouns: Readonly<Record<Resource["kind"], string>> = {
  file: "file",
  selection: "selection",
  problems: "problems of the editor",
  terminal: "terminal output",
  resource: "resource of an MCP server",
};

const isAttached = (part: ContentPart): boolean => part.type === "text" && part.resource !== undefined;
