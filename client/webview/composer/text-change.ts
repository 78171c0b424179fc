/** What makes one text the other: `middle` in place of what is from `start` to `end`. */
export function changeBetween(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly middle: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { start, end: before.length - same, middle: after.slice(start, after.length - same) };
}
