import stringWidth from "string-width";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** How many columns a text takes in a terminal; one without control characters. */
export const columnsOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text));

/**
 * The longest text that is measured for whether it fits into so many columns. A character rarely has so many code units,
 * and a text of millions of them must not be measured again for each of its lines.
 */
const windowOf = (columns: number): number => columns * 8 + 64;

const fits = (text: string, columns: number): boolean => text.length <= windowOf(columns) && columnsOf(text) <= columns;

function* graphemes(text: string): Generator<string> {
  if (/^[ -~]*$/.test(text)) yield* text;
  else for (const { segment } of segmenter.segment(text)) yield segment;
}

/** The start of a text that fits into `columns`, with an ellipsis where something is left out. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `${headOf(text, Math.max(0, columns - 1))}…`;
}

/** The longest start of a text that fits into `columns`; at least one character, unless even that does not fit. */
export function headOf(text: string, columns: number): string {
  // Half a character stays with the other.
  const start = text.slice(0, windowOf(columns)).replace(/[\uD800-\uDBFF]$/, "");
  let end = 0;
  let used = 0;
  for (const one of graphemes(start)) {
    used += columnsOf(one);
    if (used > columns) break;
    end += one.length;
  }
  return text.slice(0, end);
}

/**
 * A text in lines of at most `columns`, at its own line ends and between words. A word that is longer is divided. Spaces at
 * the start of a line stay; the lines that follow it are indented alike, so that lists can be read.
 */
export function wrap(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(8, columns)));
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (columnsOf(line) <= columns) return [line];
  const marker = /^\s*(?:[-*•]\s+|\d+[.)]\s+)?/.exec(line)?.[0] ?? "";
  const indent = columnsOf(marker) < columns / 2 ? " ".repeat(columnsOf(marker)) : "";
  const lines: string[] = [];
  let current = "";
  for (const part of line.match(/\s*\S+|\s+$/g) ?? []) {
    const candidate = current + part;
    if (fits(candidate, columns)) {
      current = candidate;
      continue;
    }
    const isFirst = current.trim() === "";
    if (!isFirst) lines.push(current);
    current = divided(isFirst ? candidate : part.trimStart(), { isFirst, indent, columns }, lines);
  }
  if (current.trim() !== "") lines.push(current);
  return lines;
}

/** Adds the lines of a word that is too long for one; returns its rest, for the line that follows. */
function divided(
  word: string,
  { isFirst, indent, columns }: { readonly isFirst: boolean; readonly indent: string; readonly columns: number },
  lines: string[],
): string {
  let before = isFirst ? "" : indent;
  let at = 0;
  while (word.length - at > windowOf(columns) || !fits(before + word.slice(at), columns)) {
    const head = headOf(word.slice(at), columns - before.length);
    // A single character wider than the line is printed all the same.
    if (head === "") break;
    lines.push(before + head);
    at += head.length;
    before = indent;
  }
  return before + word.slice(at);
}
