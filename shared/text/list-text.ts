const format = new Intl.ListFormat("en", { type: "conjunction" });

/** Names as part of a sentence: `ann`, `ann and bob`, `ann, bob, and cat`; empty for none. */
export function listText(names: readonly string[]): string {
  return format.format(names);
}
