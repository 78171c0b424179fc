/**
 * The names that a text mentions, without duplicates, in the order of `names`. Matching is case-sensitive and by whole
 * words; a `_` may also be a space, or escaped as in Markdown (AutoGen's SelectorGroupChat). A name inside a longer name or
 * a hyphenated word does not count.
 */
export function findNames(text: string, names: readonly string[]): string[] {
  const spellings = new Map(names.flatMap((name) => spellingsOf(name).map((spelling) => [spelling, name] as const)));
  // A name takes precedence over another name's alternative spelling: "a b" beside "a_b".
  for (const name of names) spellings.set(name, name);
  // The longest first, so that it is found before the shorter names inside it.
  const longestFirst = [...spellings.keys()].sort((a, b) => b.length - a.length).map(escaped);
  if (longestFirst.length === 0) return [];
  const found = new Set<string | undefined>();
  for (const [spelling] of text.matchAll(new RegExp(`${BEFORE}(?:${longestFirst.join("|")})${AFTER}`, "gu"))) {
    found.add(spellings.get(spelling));
  }
  return names.filter((name) => found.has(name));
}

const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
const BEFORE = `(?<!${WORD}|${WORD}-)`;
const AFTER = String.raw`(?!${WORD}|-${WORD}|\\_)`;

const spellingsOf = (name: string): string[] => [name, name.replaceAll("_", " "), name.replaceAll("_", "\\_")];

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
