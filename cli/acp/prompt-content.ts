import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ContentPart } from "../../shared/contract/message.ts";
import type { Task } from "../../shared/contract/team.ts";

/** What a prompt asks of the team. */
export type Prompt =
  | { readonly kind: "task"; readonly task: Task }
  | { readonly kind: "continue" }
  | { readonly kind: "ask"; readonly to: string; readonly text: string }
  | { readonly kind: "wrong"; readonly sentence: string };

/** The commands that a client offers after a `/`. */
export const COMMANDS = [
  {
    name: "ask",
    description: "Ask one participant, who alone answers",
    input: { hint: "NAME question" },
  },
  { name: "continue", description: "Continue from where the team stopped" },
];

/** What the blocks of a prompt mean: a command of {@link COMMANDS}, or a task with what is attached to it. */
export function promptOf(blocks: readonly ContentBlock[]): Prompt {
  const parts = blocks.flatMap(partsOf);
  const [first] = parts;
  const text = first?.type === "text" && first.resource === undefined ? first.text.trim() : "";
  if (/^\/continue\s*$/.test(text)) return { kind: "continue" };
  if (/^\/ask(?:\s|$)/.test(text)) {
    const [, to, question] = /^\/ask\s+@?(\S+)\s+(.+)$/s.exec(text) ?? [];
    if (to === undefined || question === undefined) {
      return { kind: "wrong", sentence: "Write /ask NAME and the question." };
    }
    return { kind: "ask", to, text: question };
  }
  if (parts.length === 0) return { kind: "wrong", sentence: "The prompt is empty; write what the team is to do." };
  const isText = parts.length === 1 && first?.type === "text" && first.resource === undefined;
  return { kind: "task", task: isText ? first.text : parts };
}

/** The parts of a message for a block; a link is named in the text, and the team's tools can read it. */
function partsOf(block: ContentBlock): readonly ContentPart[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "image":
      return [{ type: "image", uri: `data:${block.mimeType};base64,${block.data}`, mimeType: block.mimeType }];
    case "resource_link":
      return [{ type: "text", text: `[${block.name}](${block.uri})` }];
    case "resource": {
      const { resource } = block;
      if (!("text" in resource)) return [{ type: "text", text: `[${resource.uri}]` }];
      const { uri, text } = resource;
      const name = decoded(uri.split("/").at(-1) ?? uri).slice(0, 1000) || "file";
      return [{ type: "text", text, resource: { kind: "file", name, uri } }];
    }
    case "audio":
      return [];
  }
}

/** A name may have a percent sign that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
