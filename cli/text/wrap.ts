import stringWidth from "string-width";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** How many columns a text takes in a terminal; one without control characters. */
export const columnsOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text));

const graphemes = (text: string): readonly string[] =>
  /^[ -~]*$/.test(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment);

/** The start of a text that fits into `columns`, with an ellipsis where something is left out. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `${headOf(text, Math.max(0, columns - 1))}…`;
}

/** The longest start of a text that fits into `columns`. */
export function headOf(text: string, columns: number): string {
  let head = "";
  let used = 0;
  for (const one of graphemes(text)) {
    used += columnsOf(one);
    if (used > columns) break;
    head += one;
  }
  return head;
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
    if (columnsOf(candidate) <= columns) {
      current = candidate;
      continue;
    }
    if (current.trim() !== "") lines.push(current);
    let rest = current.trim() === "" ? candidate : indent + part.trimStart();
    while (columnsOf(rest) > columns) {
      const head = headOf(rest, columns);
      // A single character wider than the line is printed all the same.
      if (head.trim() === "" && head.length === 0) break;
      lines.push(head);
      rest = indent + rest.slice(head.length);
    }
    current = rest;
  }
  if (current.trim() !== "") lines.push(current);
  return lines;
}
