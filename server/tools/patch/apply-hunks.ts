import { lineEndingOf, withLineEnding } from "../text/line-endings.ts";
import { mostSimilarLines } from "../text/nearest-lines.ts";
import type { Hunk } from "./parse-patch.ts";

/**
 * How lines may differ that are taken for equal, the strictest first: by nothing, at their ends, at both sides, and by
 * dashes, quotes and spaces that models write in place of typographic ones.
 */
const SAME: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) =>
    line
      .replace(/\p{Pd}|\u2212/gu, "-")
      .replace(/[\u2018-\u201B]/g, "'")
      .replace(/[\u201C-\u201F]/g, '"')
      .replace(/\p{Zs}/gu, " ")
      .trim(),
];

/**
 * A text with the hunks applied in their order, each after the one before. The text keeps its line endings.
 * @throws Error in one sentence for a hunk whose lines are not there, or are there more than once.
 */
export function applyHunks(text: string, hunks: readonly Hunk[], shown: string): string {
  const ending = lineEndingOf(text);
  const lines = withLineEnding(text, "\n").split("\n");
  const hasFinalBreak = lines.at(-1) === "" && lines.length > 1;
  if (hasFinalBreak || text === "") lines.pop();
  const done: string[] = [];
  let from = 0;
  for (const [at, hunk] of hunks.entries()) {
    const old = hunk.lines.flatMap((line) => (line.kind === "added" ? [] : [line.text]));
    const { start, end } = placeOf(lines, from, hunk, old, `Change ${at + 1} of "${shown}"`, text);
    done.push(...lines.slice(from, start), ...replaced(hunk, lines.slice(start, end)));
    from = end;
  }
  done.push(...lines.slice(from));
  const joined = done.length === 0 ? "" : done.join("\n") + (hasFinalBreak || text === "" ? "\n" : "");
  return withLineEnding(joined, ending);
}

/** The new lines. Lines that stay are the file's own, also where the patch has other white space. */
function replaced({ lines }: Hunk, own: readonly string[]): readonly string[] {
  let at = 0;
  return lines.flatMap(({ kind, text }) => {
    if (kind === "added") return [text];
    const line = own[at++] ?? text;
    return kind === "same" ? [line] : [];
  });
}

function placeOf(
  lines: readonly string[],
  from: number,
  { anchors, atEnd }: Hunk,
  old: readonly string[],
  what: string,
  text: string,
): { readonly start: number; readonly end: number } {
  let after = from;
  for (const anchor of anchors) {
    const found = firstOf(lines, after, [anchor]);
    if (found === undefined)
      throw new Error(`${what} does not apply: the line ${JSON.stringify(anchor)} is not there.`);
    after = found + 1;
  }
  if (old.length === 0) {
    // Nothing but new lines: after its anchor, else at the end.
    const start = anchors.length === 0 || atEnd ? lines.length : after;
    return { start, end: start };
  }
  // What the anchor names may itself be among the lines.
  const start = anchors.length === 0 ? after : after - 1;
  for (const normal of SAME) {
    const places = placesOf(lines, start, old, normal);
    const fitting = atEnd ? places.filter((place) => place + old.length === lines.length) : places;
    const [place, second] = fitting;
    if (place === undefined) continue;
    if (second !== undefined && anchors.length === 0) {
      const where = fitting.slice(0, 5).map((one) => one + 1);
      const more = fitting.length > 5 ? " and more" : "";
      throw new Error(
        `${what} does not apply: its lines are there more than once, at lines ${where.join(", ")}${more}; add lines around ` +
          "them, or an @@ line.",
      );
    }
    return { start: place, end: place + old.length };
  }
  const near = mostSimilarLines(text, old.join("\n"));
  const hint =
    near === undefined ? "read the file again" : `lines ${near.from} to ${near.to} are most similar:\n${near.text}`;
  throw new Error(`${what} does not apply: its lines are not there; ${hint}`);
}

function firstOf(lines: readonly string[], from: number, wanted: readonly string[]): number | undefined {
  for (const normal of SAME) {
    const [place] = placesOf(lines, from, wanted, normal);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Where the lines are, in time that grows with their number (Knuth, Morris, Pratt). */
function placesOf(
  lines: readonly string[],
  from: number,
  wanted: readonly string[],
  normal: (line: string) => string,
): readonly number[] {
  const sought = wanted.map(normal);
  const borders = bordersOf(sought);
  const places: number[] = [];
  let matched = 0;
  for (let at = from; at < lines.length; at++) {
    const line = normal(lines[at] ?? "");
    while (matched > 0 && (matched === sought.length || sought[matched] !== line)) matched = borders[matched - 1] ?? 0;
    if (sought[matched] === line) matched++;
    if (matched === sought.length) places.push(at - matched + 1);
  }
  return places;
}

/** For each beginning of a list, the length of its longest beginning that is also its end. */
function bordersOf(lines: readonly string[]): readonly number[] {
  const borders = lines.map(() => 0);
  let length = 0;
  for (let at = 1; at < lines.length; at++) {
    while (length > 0 && lines[length] !== lines[at]) length = borders[length - 1] ?? 0;
    if (lines[length] === lines[at]) length++;
    borders[at] = length;
  }
  return borders;
}
