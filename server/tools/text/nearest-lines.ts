/** Some lines of a text, the first and last by their numbers from 1. */
export interface NearLines {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const MAX_TEXT = 2000;
/** How alike the nearest lines must be to be worth showing, from 0 to 1. */
const ENOUGH = 0.5;

/**
 * The lines of a text that are most like `wanted`: as many as it has, white space at their ends aside. Undefined when none are
 * much like it. Lines are compared by the pairs of letters they share (Dice), so the cost is that of the text's length.
 */
export function nearestLines(text: string, wanted: string): NearLines | undefined {
  const lines = text.split(/\r?\n/);
  const sought = withoutEdges(wanted.split(/\r?\n/).map((line) => line.trim()));
  if (sought.length === 0) return undefined;
  const anchor = longestOf(sought);
  const likeness = likenessTo(sought[anchor] ?? "");
  let best = { score: 0, from: 0 };
  lines.forEach((line, at) => {
    const from = at - anchor;
    if (from < 0 || from + sought.length > lines.length) return;
    const alike = likeness(line.trim());
    if (alike < ENOUGH) return;
    const same = sought.filter((each, offset) => each === lines[from + offset]?.trim()).length;
    const score = (alike + same) / (sought.length + 1);
    if (score > best.score) best = { score, from };
  });
  if (best.score === 0) return undefined;
  const found = lines.slice(best.from, best.from + sought.length).join("\n");
  if (found.length > MAX_TEXT) return undefined;
  return { from: best.from + 1, to: best.from + sought.length, text: found };
}

/** Without the empty lines before the first and after the last that has text. */
function withoutEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

/** The longest line says most about where a text stands. */
function longestOf(lines: readonly string[]): number {
  return lines.reduce((best, line, at) => (line.length > (lines[best]?.length ?? 0) ? at : best), 0);
}

function likenessTo(wanted: string): (line: string) => number {
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

/** The pairs of neighbouring letters of a line's beginning. */
function pairsOf(line: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < Math.min(line.length, 400); at++) pairs.add(line.slice(at, at + 2));
  return pairs;
}
