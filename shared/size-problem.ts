/** Limits on a JSON value: levels of lists and maps within each other, and characters of all its parts, or of each text. */
export interface SizeLimits {
  readonly depth: number;
  readonly characters?: number;
  readonly text?: number;
}

/** What is wrong with the size of a plain JSON value, as the rest of a sentence; undefined if it is within the limits. */
export function sizeProblem(value: unknown, { depth, characters, text }: SizeLimits): string | undefined {
  let total = 0;
  let level = [value];
  for (let levels = 0; level.length > 0; levels++) {
    for (const item of level) {
      const length = lengthOf(item);
      if (text !== undefined && typeof item === "string" && length > text) return `has a text of ${more(text)}`;
      total += length;
      if (characters !== undefined && total > characters) return `has ${more(characters)}`;
    }
    const lists = level.filter((item) => typeof item === "object" && item !== null);
    if (lists.length > 0 && levels === depth) return `is nested more than ${depth} levels deep; make it flatter`;
    level = lists.flatMap((list): unknown[] => Object.values(list));
  }
  return undefined;
}

/** The characters of a text, or of the keys of a map; 1 for any other value. */
function lengthOf(item: unknown): number {
  if (typeof item === "string") return item.length;
  if (typeof item !== "object" || item === null || Array.isArray(item)) return 1;
  return Object.keys(item).reduce((sum, key) => sum + key.length, 1);
}

const more = (limit: number): string => `more than ${limit.toLocaleString("en-US")} characters; make it shorter`;
