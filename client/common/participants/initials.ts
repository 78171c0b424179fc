/** The second characters for a name whose own letters are all in use. */
const SPARE = [..."23456789abcdefghijklmnopqrstuvwxyz01"];

/**
 * The initials of a team's participants, those of its nested teams included: no two are the same, whatever their case. Each
 * participant's depend only on those before it, so that one more at the end changes none.
 */
export class Initials {
  readonly #used = new Set<string>();

  /** One or two letters for the next participant: `code-reviewer` is CR, `author` is A, or Au when A is in use. */
  next(name: string): string {
    const short = shortOf(name);
    for (const initials of candidates(name, short)) {
      const key = initials.toUpperCase();
      if (this.#used.has(key)) continue;
      this.#used.add(key);
      return initials;
    }
    return short;
  }
}

/** The letters of a name's first two words. */
export function shortOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word !== "");
  return words.slice(0, 2).map(capitalOf).join("");
}

/** What a name's initials may be, best first: its own letters, then its first one with any other, then any two. */
function* candidates(name: string, short: string): Generator<string> {
  if (short !== "") yield short;
  const [first = "A", ...others] = [...name].filter((character) => /[\p{L}\p{N}]/u.test(character));
  const capital = capitalOf(first);
  for (const other of others) yield capital + other.toLowerCase();
  for (const other of SPARE) yield capital + other;
  for (const start of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") for (const other of SPARE) yield start + other;
}

/** The first letter of a word as one character: some become two as capitals. */
function capitalOf(word: string): string {
  const [first = ""] = word;
  return [...first.toUpperCase()].length === 1 ? first.toUpperCase() : first;
}
