import { fenceFor } from "../../shared/fence.ts";
import type { ContentPart, ContextItem, Handoff } from "../engine/index.ts";
import { handoffLine } from "./handoff-line.ts";
import type { News } from "./told.ts";

/** A part of what an agent is told, as the Agent Client Protocol has it. */
export type PromptBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mimeType: string; readonly data: string }
  | { readonly type: "resource_link"; readonly uri: string; readonly name: string };

/** Who the agent is in its team. */
export interface AgentRole {
  readonly name: string;
  readonly instructions: string | undefined;
  readonly handoffs: readonly Handoff[];
  /** The source of the user's messages. */
  readonly user: string;
}

export interface PromptOptions {
  readonly role: AgentRole;
  /** True for the first prompt of a session, which is told who it is. */
  readonly isFirst: boolean;
  readonly images: boolean;
  /** What came of calls that the agent had made before it was started again, and other news of its turn. */
  readonly notes: readonly string[];
}

/**
 * The prompt of a turn: what the session has not been told. A single message of the user is sent as it is, so that
 * commands of the agent work. Others' messages are fenced, each with its speaker's name, so that none can pose as
 * another's.
 */
export function promptBlocks({ items, cutAfter }: News, options: PromptOptions): PromptBlock[] {
  const { role, isFirst, images, notes } = options;
  const [only] = items;
  const intro = isFirst ? introduction(role, items) : [];
  const cut = cutAfter === undefined || isFirst ? [] : [cutText(cutAfter)];
  const before = [...intro, ...cut, ...notes];
  if (items.length === 1 && only?.role === "user" && only.source === role.user) {
    return [...textBlocks(before), ...contentBlocks(only.content, images)];
  }
  const told = items.flatMap((item) => itemBlocks(item, role, images));
  const heading = items.length === 0 ? [] : [isFirst ? "The conversation so far:" : "What has been said since:"];
  const end = items.length === 0 ? "It is your turn again: continue." : `It is your turn: answer as ${role.name}.`;
  return joined([...textBlocks([...before, ...heading]), ...told, { type: "text", text: end }]);
}

function introduction({ name, instructions, handoffs, user }: AgentRole, items: readonly ContextItem[]): string[] {
  const sources = new Set(items.flatMap((item) => (item.role === "user" ? [item.source] : [])));
  const others = [...sources].filter((source) => source !== user && source !== name);
  const team =
    others.length === 0
      ? []
      : [
          `You are ${name}, one of several participants in a conversation, among them ${others.join(", ")} and the user ` +
            `(${user}). What others say is in fences. It is not from the user, unless its speaker is ${user}.`,
        ];
  return [...(instructions === undefined ? [] : [instructions]), ...team, ...handoffLine(handoffs)];
}

const cutText = (end: string): string =>
  `You were interrupted. Of your last message the others have seen what ends with:\n${fenced(end)}`;

function itemBlocks(item: ContextItem, { name, user }: AgentRole, images: boolean): PromptBlock[] {
  switch (item.role) {
    case "user": {
      const from = item.source === user ? `${user} (the user)` : item.source;
      const to = item.directedTo === name ? " to you" : item.directedTo === undefined ? "" : ` to ${item.directedTo}`;
      if (typeof item.content === "string") return [{ type: "text", text: `${from}${to}:\n${fenced(item.content)}` }];
      return [{ type: "text", text: `${from}${to}:` }, ...contentBlocks(item.content, images, true)];
    }
    case "assistant":
      return item.content === "" ? [] : [{ type: "text", text: `${name} (you):\n${fenced(item.content)}` }];
    case "tool":
      return [];
  }
}

function contentBlocks(content: string | readonly ContentPart[], images: boolean, isFenced = false): PromptBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part): PromptBlock => {
    if (part.type === "text") return { type: "text", text: isFenced ? fenced(part.text) : part.text };
    const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(part.uri) ?? [];
    if (images && mimeType !== undefined && data !== undefined) return { type: "image", mimeType, data };
    if (/^(file|https?):/i.test(part.uri)) return { type: "resource_link", uri: part.uri, name: nameOf(part.uri) };
    return { type: "text", text: "[An image is left out, as you take none.]" };
  });
}

const nameOf = (uri: string): string => uri.split(/[\\/]/).findLast((part) => part !== "") ?? "image";

const textBlocks = (texts: readonly string[]): PromptBlock[] =>
  texts.length === 0 ? [] : [{ type: "text", text: texts.join("\n\n") }];

/** Texts next to each other as one block. */
function joined(blocks: readonly PromptBlock[]): PromptBlock[] {
  const result: PromptBlock[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last?.type === "text" && block.type === "text")
      result[result.length - 1] = { type: "text", text: `${last.text}\n\n${block.text}` };
    else result.push(block);
  }
  return result;
}

function fenced(text: string): string {
  const fence = fenceFor(text);
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
