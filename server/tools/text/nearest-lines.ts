/** Some lines of a text, with the numbers of the first and the last, from 1. */
export interface LineRangeText {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const MAX_TEXT = 2000;
/** For more lines nothing is looked for: they would hardly fit, and each is compared with each line of the text. */
const MAX_LINES = 100;
/** How similar lines must be to be shown, from 0 to 1. */
const MIN_SIMILARITY = 0.5;

/**
 * The lines of a text that are most similar to `wanted`: as many as it has, ignoring white space at their ends.
 * Undefined when none are similar enough. Lines are compared by shared letter pairs (Dice coefficient), so the cost
 * grows with the text's length.
 */
export function mostSimilarLines(text: string, wanted: string): LineRangeText | undefined {
  const lines = text.split(/\r?\n/);
  const sought = withoutEdges(wanted.split(/\r?\n/).map((line) => line.trim()));
  if (sought.length === 0 || sought.length > MAX_LINES) return undefined;
  const trimmed = lines.map((line) => line.trim());
  const anchor = longestOf(sought);
  const similarityOf = similarityTo(sought[anchor] ?? "");
  let best = { score: 0, from: 0 };
  trimmed.forEach((line, at) => {
    const from = at - anchor;
    if (from < 0 || from + sought.length > lines.length) return;
    const similarity = similarityOf(line);
    if (similarity < MIN_SIMILARITY) return;
    const same = sought.filter((each, offset) => each === trimmed[from + offset]).length;
    const score = (similarity + same) / (sought.length + 1);
    if (score > best.score) best = { score, from };
  });
  if (best.score === 0) return undefined;
  const found = lines.slice(best.from, best.from + sought.length).join("\n");
  if (found.length > MAX_TEXT) return undefined;
  return { from: best.from + 1, to: best.from + sought.length, text: found };
}

/** Without empty lines at the start and at the end. */
function withoutEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

/** The index of the longest line, which identifies a text best. */
function longestOf(lines: readonly string[]): number {
  return lines.reduce((best, line, at) => (line.length > (lines[best]?.length ?? 0) ? at : best), 0);
}

function similarityTo(wanted: string): (line: string) => number {
  const pairs = pairsOf(wanted);
  return (line) => {
    if (line === wanted) return 1;
    const others = pairsOf(line);
    if (pairs.size + others.size === 0) return 0;
    let shared = 0;
    for (const pair of others) if (pairs.has(pair)) shared++;
    return (2 * shared) / (pairs.size + others.size);
  };
}

/** The pairs of adjacent letters in the first 400 characters of a line. */
function pairsOf(line: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < Math.min(line.length, 400); at++) pairs.add(line.slice(at, at + 2));
  return pairs;
}
