import { type Hunk, hunksOf } from "./line-hunks.ts";

/** The result of a merge: its lines, and the changes that were left out as the other side has changed the same lines. */
export interface MergedLines {
  readonly lines: readonly string[];
  /** In the line numbers of `from` and `to`. */
  readonly conflicts: readonly Hunk[];
}

/**
 * A three-way merge by lines: makes the changes that lead from `from` to `to` in `onto`, which differs from `from` too. A
 * change of lines that `onto` has changed is left out, and is a conflict unless `onto` has made the same change.
 */
export function mergeLines(from: readonly string[], to: readonly string[], onto: readonly string[]): MergedLines {
  const others = hunksOf(from, onto);
  const conflicts: Hunk[] = [];
  const parts: (readonly string[])[] = [];
  let done = 0;
  let shift = 0;
  let next = 0;
  for (const hunk of hunksOf(from, to)) {
    // The changes of the other side before this one move it.
    for (let other = others[next]; other !== undefined && isBefore(other, hunk); other = others[++next])
      shift += other.toEnd - other.to - (other.fromEnd - other.from);
    const clash: Hunk[] = [];
    for (let at = next; (others[at]?.from ?? Number.POSITIVE_INFINITY) <= hunk.fromEnd; at++) {
      const other = others[at];
      if (other !== undefined && overlaps(other, hunk)) clash.push(other);
    }
    if (clash.length > 0) {
      if (!(clash.length === 1 && clash[0] !== undefined && isSame(clash[0], hunk, onto, to))) conflicts.push(hunk);
      continue;
    }
    parts.push(onto.slice(done, hunk.from + shift), to.slice(hunk.to, hunk.toEnd));
    done = hunk.fromEnd + shift;
  }
  return { lines: [...parts, onto.slice(done)].flat(), conflicts };
}

const isBefore = (a: Hunk, b: Hunk): boolean => a.fromEnd <= b.from && !overlaps(a, b);

/** Two insertions at the same place overlap, as their order is unknown; changes that only touch do not. */
function overlaps(a: Hunk, b: Hunk): boolean {
  if (a.from === a.fromEnd && b.from === b.fromEnd) return a.from === b.from;
  return a.from < b.fromEnd && b.from < a.fromEnd;
}

function isSame(a: Hunk, b: Hunk, linesA: readonly string[], linesB: readonly string[]): boolean {
  if (a.from !== b.from || a.fromEnd !== b.fromEnd || a.toEnd - a.to !== b.toEnd - b.to) return false;
  for (let at = 0; at < a.toEnd - a.to; at++) if (linesA[a.to + at] !== linesB[b.to + at]) return false;
  return true;
}
