import type { EditorPosition } from "../../../shared/contract/editor-requests.ts";

const MAX_NAMED = 10;

/** A symbol as a model names it: its name, and the line of the file that has it, from 1. */
export interface NamedSymbol {
  readonly symbol: string;
  readonly line?: number | undefined;
}

/**
 * Where a symbol's name is in a text: on the line, or without a line its first occurrence. Of a name with dots, the last
 * part is meant. @throws Error that says on which lines the name is.
 */
export function positionOf(text: string, { symbol, line }: NamedSymbol, shown: string): EditorPosition {
  const name =
    symbol
      .split(/[.#:]/)
      .findLast((part) => part.trim() !== "")
      ?.trim() ?? symbol;
  const lines = text.split(/\r\n|\r|\n/);
  if (line !== undefined && line > lines.length)
    throw new Error(`"${shown}" has ${lines.length} lines; there is no line ${line}.`);
  const wanted = line === undefined ? lines.keys() : [line - 1];
  for (const at of wanted) {
    const character = wordIn(lines[at] ?? "", name);
    if (character !== undefined) return { line: at, character };
  }
  const others = lines.flatMap((content, at) => (wordIn(content, name) === undefined ? [] : [at + 1]));
  if (others.length === 0) throw new Error(`"${name}" does not occur in "${shown}"; read the file again.`);
  const more = others.length > MAX_NAMED ? " and more" : "";
  const where = `${others.length === 1 ? "line" : "lines"} ${others.slice(0, MAX_NAMED).join(", ")}${more}`;
  throw new Error(`Line ${line} of "${shown}" does not have "${name}"; it is on ${where}.`);
}

/** The first occurrence of a name as a whole word, in UTF-16 units. */
function wordIn(line: string, name: string): number | undefined {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const before = isWord(name.charAt(0)) && isWord(line.charAt(at - 1));
    const after = isWord(name.charAt(name.length - 1)) && isWord(line.charAt(at + name.length));
    if (!before && !after) return at;
  }
  return undefined;
}

const isWord = (character: string): boolean => /[\p{L}\p{N}_$]/u.test(character);
