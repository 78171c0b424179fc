const format = new Intl.ListFormat("en", { type: "conjunction" });

/** Names as part of a sentence: `ann`, `ann and bob`, `ann, bob, and cat`; empty for none. */
export function listText(names: readonly string[]): string {
  return format.format(names);
}

const choices = new Intl.ListFormat("en", { type: "disjunction" });

/** Names of which one is meant: `ann`, `ann or bob`, `ann, bob, or cat`. */
export const choiceText = (names: readonly string[]): string => choices.format(names);
