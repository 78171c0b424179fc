interface Position {
  readonly line: number;
  readonly character: number;
}

/** A part of a text, with lines and UTF-16 units from 0, and what takes its place. */
interface PartEdit {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly newText: string;
}

/** The text after all of the edits. @throws Error when one is outside the text, or two overlap. */
export function editedText(text: string, edits: readonly PartEdit[], shown: string): string {
  const starts = lineStarts(text);
  const offset = ({ line, character }: Position): number => {
    const start = starts[line];
    const end = starts[line + 1] ?? text.length;
    if (start === undefined || start + character > end) throw wrongEdits(shown);
    return start + character;
  };
  const parts = edits
    .map(({ range, newText }) => ({ start: offset(range.start), end: offset(range.end), newText }))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  const pieces: string[] = [];
  let last = 0;
  for (const { start, end, newText } of parts) {
    if (start < last || end < start) throw wrongEdits(shown);
    pieces.push(text.slice(last, start), newText);
    last = end;
  }
  return [...pieces, text.slice(last)].join("");
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  return starts;
}

const wrongEdits = (shown: string): Error =>
  new Error(`The editor's changes do not fit the text of "${shown}", so nothing was changed; try again.`);
