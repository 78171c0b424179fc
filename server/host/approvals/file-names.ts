import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type FileNames, pathWithin } from "../../engine/index.ts";

/** More files are not looked at for one question. */
const MAX_FILES = 20_000;

/** Looks for files by their names, for rules about paths. */
export class DiskFileNames implements FileNames {
  readonly #roots: readonly string[];

  /** `roots` are the open folders: absolute, with links resolved. */
  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  async holds(path: string, matches: (path: string) => boolean): Promise<boolean | undefined> {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return false;
    if (matches(path)) return true;
    return found.isDirectory() && (await holdsBelow(path, matches));
  }

  async otherNames(path: string, matches: (path: string) => boolean): Promise<readonly string[] | undefined> {
    const file = await stat(path, { bigint: true }).catch(() => undefined);
    if (file === undefined || !file.isFile() || file.nlink < 2n) return [];
    const names: string[] = [];
    let seen = 0;
    for (const root of this.#roots) {
      for await (const entry of entriesBelow(root)) {
        if (++seen > MAX_FILES) return undefined;
        if (entry.isFile && entry.path !== path && matches(entry.path) && (await isSame(entry.path, file))) {
          names.push(entry.path);
        }
      }
    }
    return names;
  }
}

/** The files that rules restrict, by every name of each. */
export class RestrictedFiles {
  readonly #roots: readonly string[];
  readonly #isRestricted: (path: string) => boolean;
  #linked: Promise<ReadonlySet<string> | undefined> | undefined;

  /** `roots` as for {@link DiskFileNames}; `isRestricted` decides by a name. */
  constructor(roots: readonly string[], isRestricted: (path: string) => boolean) {
    this.#roots = roots;
    this.#isRestricted = isRestricted;
  }

  /** True for a restricted file, also for one that has too many names to look up. */
  async has(path: string): Promise<boolean> {
    if (this.#isRestricted(path)) return true;
    const file = await lstat(path, { bigint: true }).catch(() => undefined);
    if (file === undefined || !file.isFile() || file.nlink < 2n) return false;
    this.#linked ??= this.#linkedFiles();
    return (await this.#linked)?.has(idOf(file)) ?? true;
  }

  /** The restricted files with several names; undefined if there are too many files to tell. */
  async #linkedFiles(): Promise<ReadonlySet<string> | undefined> {
    const found = new Set<string>();
    let seen = 0;
    for (const root of this.#roots) {
      for await (const { path, isFile } of entriesBelow(root)) {
        if (++seen > MAX_FILES) return undefined;
        if (!isFile || !this.#isRestricted(path)) continue;
        const file = await lstat(path, { bigint: true }).catch(() => undefined);
        if (file !== undefined && file.nlink > 1n) found.add(idOf(file));
      }
    }
    return found;
  }
}

const idOf = ({ dev, ino }: FileId): string => `${dev}:${ino}`;

interface FileId {
  readonly dev: bigint;
  readonly ino: bigint;
}

async function isSame(path: string, { dev, ino }: FileId): Promise<boolean> {
  const other = await lstat(path, { bigint: true }).catch(() => undefined);
  return other?.dev === dev && other.ino === ino;
}

/** A program may follow links, so what these lead to counts as below the folder. */
async function holdsBelow(path: string, matches: (path: string) => boolean): Promise<boolean | undefined> {
  let seen = 0;
  const folders = [path];
  for (const folder of folders) {
    for await (const entry of entriesBelow(folder)) {
      if (matches(entry.path)) return true;
      if (++seen > MAX_FILES) return undefined;
      const target = entry.isLink ? await targetOf(entry.path) : undefined;
      if (target === undefined || folders.some((known) => pathWithin(known, target) !== undefined)) continue;
      if (matches(target)) return true;
      folders.push(target);
    }
  }
  return false;
}

/** Where a link leads; undefined when that cannot be told. */
const targetOf = async (path: string): Promise<string | undefined> =>
  (await realpath(path).catch(() => undefined))?.split(sep).join("/");

interface FoundEntry {
  /** With `/` between folders. */
  readonly path: string;
  readonly isFile: boolean;
  readonly isLink: boolean;
}

/** Everything below a folder; links are not followed. Unreadable folders are skipped. */
async function* entriesBelow(folder: string): AsyncGenerator<FoundEntry, void> {
  const entries: readonly Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    yield { path: path.split(sep).join("/"), isFile: entry.isFile(), isLink: entry.isSymbolicLink() };
    if (entry.isDirectory()) yield* entriesBelow(path);
  }
}
