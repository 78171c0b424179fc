import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { walk } from "../workspace/walk.ts";
import { locateAll, type Workspace } from "../workspace/workspace.ts";

/** A walk stops here, as for the tool `listFiles`. */
const MAX_FILES = 100_000;
/** How long a list of files is used, in milliseconds: while a user types a name. */
const MAX_AGE_MS = 5000;
/** Between turns of the event loop. */
const SLICE = 2000;

/** A file that the user may mean. */
export interface NamedFile {
  readonly uri: string;
  /** The path as shown to users, in the workspace. */
  readonly path: string;
  /** Why it may hold secrets. */
  readonly secret?: string;
}

interface Match {
  readonly file: KnownFile;
  readonly rank: number;
}

interface KnownFile {
  readonly at: string;
  readonly path: string;
}

/** Finds files of the workspace by their names, without those that `.gitignore` excludes. */
export class FileNames {
  readonly #workspace: Workspace;
  #known: { readonly files: Promise<readonly KnownFile[]>; readonly from: number } | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** At most `limit` files whose paths match, the best first. All match an empty query. */
  async find(query: string, limit: number): Promise<readonly NamedFile[]> {
    const wanted = query.toLowerCase().replaceAll("\\", "/");
    const best: Match[] = [];
    const files = await this.#files();
    for (const [index, file] of files.entries()) {
      if (index % SLICE === SLICE - 1) await setImmediate();
      const rank = rankOf(file.path.toLowerCase(), wanted);
      if (rank !== undefined) addMatch(best, { file, rank }, limit);
    }
    return best.map(({ file }) => this.#named(file));
  }

  #named({ at, path }: KnownFile): NamedFile {
    const why = this.#workspace.files?.secretFile(at)?.why;
    return { uri: pathToFileURL(at).toString(), path, ...(why === undefined ? {} : { secret: why }) };
  }

  #files(): Promise<readonly KnownFile[]> {
    const now = performance.now();
    if (this.#known === undefined || now - this.#known.from > MAX_AGE_MS)
      this.#known = { files: this.#walkAll(), from: now };
    return this.#known.files;
  }

  async #walkAll(): Promise<readonly KnownFile[]> {
    if (this.#workspace.roots().length === 0) return [];
    const places = await locateAll(this.#workspace, undefined);
    const files: KnownFile[] = [];
    for (const place of places) {
      for await (const { kind, path, shown } of walk(place, new AbortController().signal)) {
        if (files.length >= MAX_FILES) return files;
        if (kind !== "folder" && this.#workspace.files?.isOwn(path) !== true) files.push({ at: path, path: shown });
      }
    }
    return files;
  }
}

/** Adds a match to the best ones, in their order, at most `limit`: to sort all files would hold up the host. */
function addMatch(best: Match[], match: Match, limit: number): void {
  const last = best.at(-1);
  if (best.length === limit && last !== undefined && !isBetter(match, last)) return;
  const at = best.findIndex((other) => isBetter(match, other));
  best.splice(at === -1 ? best.length : at, 0, match);
  if (best.length > limit) best.pop();
}

/** Of equal ones the earlier stays first. */
const isBetter = (one: Match, other: Match): boolean =>
  one.rank < other.rank || (one.rank === other.rank && one.file.path.length < other.file.path.length);

/**
 * How well a path matches, less is better: its name starts with the query, its name contains it, the path contains it, or
 * its characters occur in the path in their order. Undefined when it does not match. Both in lower case.
 */
function rankOf(path: string, query: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.startsWith(query)) return 0;
  if (name.includes(query)) return 1;
  if (path.includes(query)) return 2;
  return hasInOrder(name, query) ? 3 : hasInOrder(path, query) ? 4 : undefined;
}

function hasInOrder(text: string, characters: string): boolean {
  let from = 0;
  for (const character of characters) {
    const at = text.indexOf(character, from);
    if (at === -1) return false;
    from = at + character.length;
  }
  return true;
}
