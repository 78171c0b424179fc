/** The number of characters to change, add or remove to turn one word into the other. Swapping neighbours counts as one. */
export function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const steps = [(row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1)];
      next.push(Math.min(...steps, swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Of longer words only the start is compared, because input has no limit. */
const MAX_COMPARED = 80;

/** The known word that was most likely meant; undefined if none is similar. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const word = written.slice(0, MAX_COMPARED).toLowerCase();
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate.slice(0, MAX_COMPARED).toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** The second half of a sentence about an unknown word: the likely word, or else all known words. */
export function suggestion(written: string, known: readonly string[], what: string): string {
  const meant = nearest(written, known);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return known.length === 0 ? `there are no ${what}` : `the ${what} are ${listed(known)}`;
}

/** How many words are listed. */
const MAX_LISTED = 30;

const listed = (words: readonly string[]): string =>
  words.length <= MAX_LISTED
    ? words.join(", ")
    : `${words.slice(0, MAX_LISTED).join(", ")} and ${words.length - MAX_LISTED} more`;

/** A sentence that no participant has this name, with the likely name. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const hint = meant === undefined ? `the names are ${listed([...new Set(known)])}` : `did you mean "${meant}"?`;
  return `no participant is called "${name}"; ${hint}`;
}
