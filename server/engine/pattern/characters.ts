/** A range of code points, both ends included. */
export type Range = readonly [first: number, last: number];

const LAST = 0x10ffff;

const DIGITS: readonly Range[] = [[0x30, 0x39]];
const WORDS: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** The characters that equal one of those when case is ignored are added, as `\W` leaves them out then. */
const WORDS_IN_ANY_CASE: readonly Range[] = [...WORDS, [0x17f, 0x17f], [0x212a, 0x212a]];
/** JavaScript's white space and line ends; RE2's `\s` has only those of ASCII. */
const SPACES: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LINE_ENDS: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

export const isLineEnd = (code: number): boolean => LINE_ENDS.some(([first, last]) => first <= code && code <= last);

/** The ranges that sorted, separate ranges leave out. */
function others(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, last]) => last + 1)];
  const ends = [...ranges.map(([first]) => first - 1), LAST];
  return starts.flatMap((start, at): Range[] => {
    const end = ends[at] ?? LAST;
    return start <= end ? [[start, end]] : [];
  });
}

const hex = (code: number): string => `\\x{${code.toString(16)}}`;

/** A code point as RE2 reads it, in a class or outside. */
export const characterText = (code: number): string => hex(code);

/** Ranges as the content of a class. */
const rangesText = (ranges: readonly Range[]): string =>
  ranges.map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`)).join("");

/** Any character but a line end: JavaScript's `.`. */
export const ANY_IN_LINE = `[${rangesText(others(LINE_ENDS))}]`;
export const ANY = `[${rangesText([[0, LAST]])}]`;
export const NOTHING = `[^${rangesText([[0, LAST]])}]`;

/** The content of a class for `\d`, `\w`, `\s` and their opposites; undefined for another letter. */
export function shorthandText(letter: string, ignoresCase: boolean): string | undefined {
  const ranges = ignoresCase && letter === "W" ? WORDS_IN_ANY_CASE : SHORTHANDS.get(letter.toLowerCase());
  if (ranges === undefined) return undefined;
  return rangesText(letter === letter.toLowerCase() ? ranges : others(ranges));
}

const SHORTHANDS: ReadonlyMap<string, readonly Range[]> = new Map([
  ["d", DIGITS],
  ["w", WORDS],
  ["s", SPACES],
]);
