import { expandBraces, globMatcher, matchWithStars } from "../glob.ts";
import { plainName } from "./plain-name.ts";

/** Files of one kind. */
export interface PathEntry {
  /**
   * Globs over names or paths, such as `*.pem` and `.github/workflows`. They match at any depth, and match everything in a
   * folder that they match. One that starts with `/` or a drive matches from there only.
   */
  readonly paths: readonly string[];
  /** Globs over the names of files that match `paths` but do not belong to this entry. */
  readonly except?: readonly string[];
}

type NameMatcher = (name: string) => boolean;

interface Row<Entry> {
  readonly entry: Entry;
  /** Its place in the table; the first entry that matches counts. */
  readonly rank: number;
  readonly matches: (names: readonly string[]) => boolean;
  readonly exceptions: readonly NameMatcher[];
}

/**
 * Finds the entry that a path belongs to, with names compared as {@link plainName} makes them. It is asked about every word
 * of a command and every file of a search, so most patterns are found by their first name.
 */
export class PathTable<Entry extends PathEntry> {
  readonly #byName = new Map<string, Row<Entry>[]>();
  readonly #others: Row<Entry>[] = [];

  constructor(entries: readonly Entry[]) {
    for (const [rank, entry] of entries.entries()) {
      const exceptions = (entry.except ?? []).flatMap(expandBraces).map((name) => nameMatcher(name.toLowerCase()));
      for (const pattern of entry.paths.flatMap(expandBraces)) {
        this.#add(pattern.toLowerCase(), { entry, rank, exceptions });
      }
    }
  }

  /** The first entry that matches the path or a folder above it. Separators are `/` or `\`. */
  find(path: string): Entry | undefined {
    const names = plainNames(path);
    const candidates = [...names.flatMap((name) => this.#byName.get(name) ?? []), ...this.#others];
    const last = names.at(-1) ?? "";
    const found = candidates.filter(
      (row) => row.matches(names) && !row.exceptions.some((matchesName) => matchesName(last)),
    );
    return found.sort((a, b) => a.rank - b.rank)[0]?.entry;
  }

  #add(pattern: string, parts: Omit<Row<Entry>, "matches">): void {
    const names = pattern.split("/").filter((name) => name !== "");
    const [first] = names;
    const row = { ...parts, matches: namesMatcher(names, isAnchored(pattern)) };
    if (first === undefined || WILDCARD.test(first)) this.#others.push(row);
    else this.#byName.set(first, [...(this.#byName.get(first) ?? []), row]);
  }
}

/** True for a pattern that matches from the root of the file system only. */
export const isAnchored = (pattern: string): boolean => /^(?:\/|[A-Za-z]:\/)/.test(pattern);

/** The names in a path, in the form in which they are compared. */
export const plainNames = (path: string): readonly string[] =>
  path
    .split(/[\\/]/)
    .filter((name) => name !== "" && name !== ".")
    .map(plainName);

const WILDCARD = /[*?[\]\\]/;

function namesMatcher(pattern: readonly string[], isAtRoot: boolean): (names: readonly string[]) => boolean {
  const items = pattern.map((name) => (name === "**" ? name : nameMatcher(name)));
  const [only, ...more] = items;
  if (more.length === 0 && !isAtRoot && only !== undefined && only !== "**") return (names) => names.some(only);
  const whole = [...(isAtRoot ? [] : ["**" as const]), ...items, "**" as const];
  return (names) => matchWithStars(whole, names, isStar, fits);
}

const isStar = (item: NameMatcher | "**"): boolean => item === "**";

const fits = (item: NameMatcher | "**", name: string): boolean => item !== "**" && item(name);

/** Most names are told apart by how they start and end, without looking at the glob. */
function nameMatcher(pattern: string): NameMatcher {
  const first = pattern.search(WILDCARD);
  if (first === -1) return (name) => name === pattern;
  const start = pattern.slice(0, first);
  const end = /[^*?[\]\\]*$/.exec(pattern)?.[0] ?? "";
  const glob = globMatcher(pattern);
  return (name) => name.startsWith(start) && name.endsWith(end) && glob(name);
}
