import { diffArrays } from "diff";

/** Lines that differ: those from `from` to `fromEnd` (excluded) of one text are those from `to` to `toEnd` of another. */
export interface Hunk {
  readonly from: number;
  readonly fromEnd: number;
  readonly to: number;
  readonly toEnd: number;
}

/** The search between two equal lines takes the square of this at most; what differs more counts as replaced. */
const MAX_EDITS = 200;

/** The lines of a text, each with its line break. */
export function linesOf(text: string): readonly string[] {
  return text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/**
 * How two texts differ, in order. Lines that occur once in each are matched first ("patience" diff), in linear time but for
 * a sort; only what is between them is searched.
 */
export function hunksOf(a: readonly string[], b: readonly string[]): readonly Hunk[] {
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < shorter - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [endA, endB] = [a.length - tail, b.length - tail];
  const hunks: Hunk[] = [];
  let [atA, atB] = [start, start];
  for (const [nextA, nextB] of [...anchors(a, b, start, endA, endB), [endA, endB] as const]) {
    addHunks(hunks, a, b, { from: atA, fromEnd: nextA, to: atB, toEnd: nextB });
    [atA, atB] = [nextA + 1, nextB + 1];
  }
  return joined(hunks);
}

function addHunks(hunks: Hunk[], a: readonly string[], b: readonly string[], { from, fromEnd, to, toEnd }: Hunk): void {
  if (from === fromEnd && to === toEnd) return;
  const [old, fresh] = [a.slice(from, fromEnd), b.slice(to, toEnd)];
  const known = new Set(old);
  const parts = fresh.some((line) => known.has(line))
    ? diffArrays([...old], [...fresh], { maxEditLength: MAX_EDITS })
    : undefined;
  if (parts === undefined) {
    hunks.push({ from, fromEnd, to, toEnd });
    return;
  }
  let [atA, atB] = [from, to];
  for (const { added, removed, count } of parts) {
    const [nextA, nextB] = [added ? atA : atA + count, removed ? atB : atB + count];
    if (added || removed) hunks.push({ from: atA, fromEnd: nextA, to: atB, toEnd: nextB });
    [atA, atB] = [nextA, nextB];
  }
}

/** Hunks that touch, such as a removal and the addition in its place, are one. */
function joined(hunks: readonly Hunk[]): readonly Hunk[] {
  const all: Hunk[] = [];
  for (const hunk of hunks) {
    const last = all.at(-1);
    if (last?.fromEnd === hunk.from && last.toEnd === hunk.to)
      all[all.length - 1] = { ...last, fromEnd: hunk.fromEnd, toEnd: hunk.toEnd };
    else all.push(hunk);
  }
  return all;
}

/** The longest series of lines that occur once in each text and come in the same order in both. */
function anchors(
  a: readonly string[],
  b: readonly string[],
  start: number,
  endA: number,
  endB: number,
): readonly (readonly [number, number])[] {
  const inB = uniqueLines(b, start, endB);
  const pairs = [...uniqueLines(a, start, endA)].flatMap(([line, atA]) => {
    const atB = inB.get(line);
    return atA === -1 || atB === undefined || atB === -1 ? [] : [[atA, atB] as const];
  });
  return increasing(pairs.sort(([one], [other]) => one - other));
}

/** Where each line is; -1 where it occurs several times. */
function uniqueLines(lines: readonly string[], start: number, end: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let at = start; at < end; at++) {
    const line = lines[at] ?? "";
    found.set(line, found.has(line) ? -1 : at);
  }
  return found;
}

/** The longest subsequence whose second numbers increase (patience sorting). */
function increasing(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const tops: number[] = [];
  const before: number[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (tops[low - 1] ?? -1);
    tops[low] = index;
  }
  const found: (readonly [number, number])[] = [];
  for (let at = tops.at(-1) ?? -1; at !== -1; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) found.push(pair);
  }
  return found.reverse();
}
