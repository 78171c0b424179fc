import { type Dir, type Dirent, opendirSync } from "node:fs";
import { join, parse } from "node:path";
import { globMatcher } from "../../engine/glob.ts";
import { withRealPath } from "./real-path.ts";

const MAX_FOLDERS = 50;
const MAX_ENTRIES = 2000;

/**
 * The existing paths that a shell would put in place of an absolute path with `*`, `?` and `[…]`, without regard to case; of
 * a link also what it leads to. Undefined if there are too many to look at.
 */
export function expandWildcards(pattern: string): readonly string[] | undefined {
  const reader = new FolderReader();
  const { root } = parse(pattern);
  let folders: readonly string[] = [root];
  for (const name of pattern.slice(root.length).split("/")) {
    if (/[*?[]/.test(name)) folders = folders.flatMap((folder) => reader.matches(folder, name));
    else folders = folders.map((folder) => join(folder, name));
    if (reader.isExhausted) return undefined;
  }
  return folders.flatMap(withRealPath);
}

/** Reads folders up to a limit. */
class FolderReader {
  #folders = 0;
  #entries = 0;

  get isExhausted(): boolean {
    return this.#folders > MAX_FOLDERS || this.#entries > MAX_ENTRIES;
  }

  /** A wildcard does not match the dot at the start of a name. */
  matches(folder: string, name: string): string[] {
    const fits = globMatcher(name.toLowerCase());
    const found: string[] = [];
    this.#folders++;
    for (const entry of this.#entriesOf(folder)) {
      if (this.isExhausted) break;
      this.#entries++;
      const isHidden = entry.name.startsWith(".") && !name.startsWith(".");
      if (!isHidden && fits(entry.name.toLowerCase())) found.push(join(folder, entry.name));
    }
    return found;
  }

  *#entriesOf(path: string): Generator<Dirent> {
    let folder: Dir | undefined;
    try {
      folder = opendirSync(path);
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry;
    } catch {
      // A folder that cannot be read has nothing to match.
    } finally {
      folder?.closeSync();
    }
  }
}
