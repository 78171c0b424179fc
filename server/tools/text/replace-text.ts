import { lineEndingOf, withLineEnding } from "./line-endings.ts";

/** A text after a replacement. */
export interface ReplacedText {
  readonly text: string;
  /** The line on which each occurrence started in the original text, from 1. */
  readonly lines: readonly number[];
}

/**
 * Replaces every occurrence of `old` by `fresh`. A line ending in `old` matches both `\n` and `\r\n`; those of `fresh`
 * become the text's most common one, and the rest of the text is unchanged. Without an occurrence, the text is
 * unchanged.
 */
export function replaceText(text: string, old: string, fresh: string): ReplacedText {
  const places = occurrencesOf(text, withLineEnding(old, "\n"));
  const written = withLineEnding(fresh, lineEndingOf(text));
  const pieces: string[] = [];
  let end = 0;
  for (const place of places) {
    pieces.push(text.slice(end, place.start), written);
    end = place.end;
  }
  return { text: pieces.join("") + text.slice(end), lines: places.map(({ line }) => line) };
}

/** Whether `old` occurs exactly once, overlapping occurrences included. */
export function occursOnce(text: string, old: string): boolean {
  const plain = withLineEnding(text, "\n");
  const wanted = withLineEnding(old, "\n");
  const first = plain.indexOf(wanted);
  return first !== -1 && plain.indexOf(wanted, first + 1) === -1;
}

interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** Where `old`, whose lines end with `\n`, occurs in a text with any line endings, in order and without overlaps. */
function occurrencesOf(text: string, old: string): readonly Occurrence[] {
  const lines = text.split("\r\n");
  const plain = lines.join("\n");
  const places: Occurrence[] = [];
  /** Maps a position in `plain` to one in `text`; positions must not decrease. */
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

/**
 * Maps a position in the lines joined by `\n` to the one when joined by `\r\n`. Positions must not decrease between
 * calls.
 */
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
