import { lineEndingOf, withLineEnding } from "./line-endings.ts";

/** A text with some places of it replaced. */
export interface Replaced {
  readonly text: string;
  /** The line that each place began on, from 1, in the text as it was. */
  readonly lines: readonly number[];
}

/**
 * Puts `fresh` in the place of `old`, wherever that stands. A line end in `old` is met by `\n` and by `\r\n`; those of `fresh` are
 * written as most of the text's are, and what is not replaced stays as it is. With none the text is the same.
 */
export function replaceText(text: string, old: string, fresh: string): Replaced {
  const places = placesOf(text, withLineEnding(old, "\n"));
  const written = withLineEnding(fresh, lineEndingOf(text));
  const pieces: string[] = [];
  let end = 0;
  for (const place of places) {
    pieces.push(text.slice(end, place.start), written);
    end = place.end;
  }
  return { text: pieces.join("") + text.slice(end), lines: places.map(({ line }) => line) };
}

/** Whether `old` stands at one place and no other, not even at one that overlaps the first. */
export function standsOnce(text: string, old: string): boolean {
  const plain = withLineEnding(text, "\n");
  const wanted = withLineEnding(old, "\n");
  const first = plain.indexOf(wanted);
  return first !== -1 && plain.indexOf(wanted, first + 1) === -1;
}

interface TextPlace {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** Where `old`, whose lines end with `\n`, stands in a text of any line ends: places that do not overlap, in order. */
function placesOf(text: string, old: string): readonly TextPlace[] {
  const lines = text.split("\r\n");
  const plain = lines.join("\n");
  const places: TextPlace[] = [];
  /** How many `\r` were left out before `at`, which only grows. */
  const origin = originOf(lines);
  let line = 1;
  let counted = 0;
  for (let at = plain.indexOf(old); at !== -1; at = plain.indexOf(old, at + old.length)) {
    line += newlinesIn(plain, counted, at);
    counted = at;
    places.push({ start: origin(at), end: origin(at + old.length), line });
  }
  return places;
}

/** From a place in the lines joined by `\n` to the same place in them joined by `\r\n`. It is asked for growing places. */
function originOf(lines: readonly string[]): (at: number) => number {
  let passed = 0;
  let nextEnd = lines[0]?.length ?? 0;
  return (at) => {
    while (passed < lines.length - 1 && nextEnd < at) {
      passed++;
      nextEnd += 1 + (lines[passed]?.length ?? 0);
    }
    return at + passed;
  };
}

function newlinesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
