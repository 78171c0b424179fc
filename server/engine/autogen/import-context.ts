import type { ContextDefinition, MemoryDefinition } from "../../../shared/contract/definition.ts";
import { type AutoGenComponent, type ImportReport, withoutUndefined } from "./autogen-component.ts";

/** Imports a model context; undefined for the whole conversation. */
export function importContext(
  context: AutoGenComponent | undefined,
  report: ImportReport,
): ContextDefinition | undefined {
  if (context === undefined) return undefined;
  const { className, config, path } = context;
  const read = contextFor(context);
  if (read === undefined) {
    report.omit(path, `there is no counterpart for ${className}; the model is shown the whole conversation`);
    return undefined;
  }
  // The client of a token-limited context counts tokens; Gavel estimates them.
  config.ignore("model_client", "tool_schema");
  config.omitUnused({
    initial_messages: "a context starts empty here; put these texts into instructions or memory.notes",
  });
  return read.kind === "unbounded" ? undefined : read;
}

function contextFor({ className, config }: AutoGenComponent): ContextDefinition | undefined {
  switch (className) {
    case "UnboundedChatCompletionContext":
      return { kind: "unbounded" };
    case "BufferedChatCompletionContext":
      return withoutUndefined<ContextDefinition>({ kind: "buffered", size: config.number("buffer_size") });
    case "HeadAndTailChatCompletionContext":
      return withoutUndefined<ContextDefinition>({
        kind: "headAndTail",
        head: config.number("head_size"),
        tail: config.number("tail_size"),
      });
    case "TokenLimitedChatCompletionContext":
      return withoutUndefined<ContextDefinition>({ kind: "tokenLimited", size: config.number("token_limit") });
    default:
      return undefined;
  }
}

/** Imports the texts of AutoGen's list memories. Other memories query stores, which Gavel does not support. */
export function importMemory(
  memories: readonly AutoGenComponent[],
  report: ImportReport,
): MemoryDefinition | undefined {
  const notes = memories.flatMap((memory) => notesOf(memory, report));
  return notes.length === 0 ? undefined : { notes };
}

function notesOf({ className, config, path }: AutoGenComponent, report: ImportReport): string[] {
  if (className !== "ListMemory") {
    report.omit(
      path,
      `there is no counterpart for ${className}; give the texts themselves in memory.notes or memory.files`,
    );
    return [];
  }
  config.ignore("name");
  const notes = config.list("memory_contents").flatMap((placed) => {
    const item = config.nested(placed);
    const content = item?.take("content");
    if (typeof content === "string" && !isBinary(item?.take("mime_type"))) return [content];
    if (typeof content === "object" && content !== null && item?.take("mime_type") === "application/json") {
      return [JSON.stringify(content)];
    }
    report.omit(placed.path, "only texts can be remembered here");
    return [];
  });
  config.omitUnused();
  return notes;
}

const isBinary = (mimeType: unknown): boolean =>
  typeof mimeType === "string" && (mimeType.startsWith("image/") || mimeType === "application/octet-stream");
