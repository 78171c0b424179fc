import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { messageOf } from "../../../shared/contract/errors.ts";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { collectionKey, sizeProblem } from "../definition/text-size.ts";

/** Why a file of another tool cannot be used, and the line of it where that is, from 1. */
export class AgentFileError extends Error {
  readonly line: number;

  constructor(message: string, line = 1) {
    super(message);
    this.line = line;
  }
}

/** The fields at the beginning of a Markdown file, between two lines `---`, and the text after them. */
export interface FrontMatter {
  readonly fields: JsonRecord;
  readonly body: string;
  /** The line of each field, from 1. */
  readonly lineOf: (field: string) => number;
}

/** How often aliases may repeat a value: such a file needs none. */
const MAX_ALIASES = 10;

const FENCE = /^---[ \t]*$/;

/** @throws AgentFileError for fields that cannot be read. */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = FENCE.test(lines[0] ?? "") ? lines.findIndex((line, at) => at > 0 && FENCE.test(line)) : -1;
  if (end === -1) return { fields: {}, body: lines.join("\n").trim(), lineOf: () => 1 };
  const { fields, lineOf } = readFields(lines.slice(1, end).join("\n"), 1);
  return {
    fields,
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
    lineOf,
  };
}

/** The fields of a YAML or JSON text that has `above` lines above it. @throws AgentFileError */
export function readFields(text: string, above = 0): Omit<FrontMatter, "body"> {
  const tooLarge = sizeProblem(text);
  if (tooLarge !== undefined) throw new AgentFileError(tooLarge, above + 1);
  const counter = new LineCounter();
  const lineAt = (offset: number): number => above + Math.max(1, counter.linePos(offset).line);
  try {
    const document = parseDocument(text, {
      lineCounter: counter,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: "error",
    });
    const [wrong] = document.errors;
    if (wrong !== undefined)
      throw new AgentFileError(`cannot be read: ${wrong.message.slice(0, 200)}`, lineAt(wrong.pos[0]));
    const odd = collectionKey(document);
    if (odd !== undefined) throw new AgentFileError("has a key that is a map or a list", lineAt(odd.range?.[0] ?? 0));
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
    if (!isRecord(value)) throw new AgentFileError("should have fields, each with its name", above + 1);
    const pairs = isMap(document.contents) ? document.contents.items : [];
    return {
      fields: value,
      lineOf: (field) => {
        const key = pairs.map((pair) => pair.key).find((one) => isScalar(one) && one.value === field);
        return isScalar(key) ? lineAt(key.range?.[0] ?? 0) : above + 1;
      },
    };
  } catch (error) {
    if (error instanceof AgentFileError) throw error;
    if (error instanceof ReferenceError)
      throw new AgentFileError("repeats values with aliases; write them out", above + 1);
    if (error instanceof RangeError) throw new AgentFileError("is nested too deep; make it flatter", above + 1);
    throw new AgentFileError(`cannot be read: ${messageOf(error)}`, above + 1);
  }
}
