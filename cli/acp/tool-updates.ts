import { isAbsolute, join } from "node:path";
import type { SessionUpdate, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";
import { isRecord } from "../../shared/json-record.ts";
import type { Change } from "../run/previews.ts";
import { shownLine, shownText } from "../text/shown-text.ts";

/** What kinds of tools the host has; every other is "other". */
const KINDS: Readonly<Record<string, ToolKind>> = {
  readFile: "read",
  listFiles: "search",
  searchText: "search",
  editFile: "edit",
  writeFile: "edit",
  applyPatch: "edit",
  runCommand: "execute",
  webFetch: "fetch",
};

/** How much of a tool's output a client is shown, in characters. */
const MAX_OUTPUT = 20_000;

const kindOf = (name: string): ToolKind => (Object.hasOwn(KINDS, name) ? (KINDS[name] ?? "other") : "other");

/** A call, as far as its tool and input tell: a title, the files it is about, and the change it would make. */
export function toolCall(name: string, input: unknown, folder: string) {
  const path = isRecord(input) && typeof input["path"] === "string" ? input["path"] : undefined;
  const line = isRecord(input) && typeof input["startLine"] === "number" ? { line: input["startLine"] } : {};
  const place = path === undefined || path.includes("\0") ? undefined : isAbsolute(path) ? path : join(folder, path);
  return {
    title: titleOf(name, input),
    name,
    kind: kindOf(name),
    rawInput: input,
    ...(place === undefined ? {} : { locations: [{ path: place, ...line }] }),
    ...(place === undefined ? {} : contentOf(name, input, place)),
  };
}

function titleOf(name: string, input: unknown): string {
  const about = isRecord(input) ? (input["command"] ?? input["path"] ?? input["url"] ?? input["query"]) : undefined;
  return typeof about === "string" ? `${name} ${shownLine(about)}` : name;
}

/** The change of a tool that edits one file, as its input says it. */
function contentOf(name: string, input: unknown, path: string): { readonly content?: ToolCallContent[] } {
  if (!isRecord(input)) return {};
  const { old: oldText, new: newText, content } = input;
  if (name === "writeFile" && typeof content === "string")
    return { content: [{ type: "diff", path, newText: content }] };
  if (name !== "editFile" || typeof oldText !== "string" || typeof newText !== "string") return {};
  return { content: [{ type: "diff", path, oldText, newText }] };
}

/** The changes that a call would make, with the whole texts of the files. */
export const diffs = (changes: readonly Change[], folder: string): ToolCallContent[] =>
  changes.map(({ file, path, before, after }) => ({
    type: "diff",
    path: file ?? join(folder, path),
    oldText: before,
    newText: after ?? "",
  }));

/** The end of a call. The content of an edit stays that of its change. */
export function toolEnd(
  ref: string,
  {
    output,
    isError,
    keepsContent,
  }: { readonly output: unknown; readonly isError: boolean; readonly keepsContent: boolean },
): SessionUpdate {
  const text = typeof output === "string" ? output : (JSON.stringify(output, null, 2) ?? "");
  const shown = shownText(text.length > MAX_OUTPUT ? `${text.slice(0, MAX_OUTPUT)}…` : text);
  const content: ToolCallContent[] = [{ type: "content", content: { type: "text", text: shown } }];
  return {
    sessionUpdate: "tool_call_update",
    toolCallId: ref,
    status: isError ? "failed" : "completed",
    rawOutput: output,
    ...(keepsContent && !isError ? {} : { content }),
  };
}
