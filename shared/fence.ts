/** The length of the longest run of backticks in a text. */
export function longestBackticks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A Markdown fence that no line of a text can close. */
export const fenceFor = (text: string): string => "`".repeat(Math.max(3, longestBackticks(text) + 1));
