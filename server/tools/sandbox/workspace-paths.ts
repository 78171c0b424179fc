import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Which paths of the workspace a sandboxed command must not read, or not write. The paths given are absolute. */
export interface PathRules {
  readonly isHidden: (path: string) => boolean;
  readonly isReadOnly: (path: string) => boolean;
  /** Changes whenever the rules do. */
  readonly key: string;
}

/** What a walk of the workspace found for a sandbox. */
interface FoundPaths {
  readonly hidden: readonly string[];
  readonly readOnly: readonly string[];
}

/** What is in a folder, as it was when the folder last changed. */
interface KnownFolder extends FoundPaths {
  /** The folder and its change time, which no command can set, unlike the modification time. */
  readonly version: string;
  readonly folders: readonly string[];
}

/**
 * Folders whose content is not looked through: they hold what package managers install, often many thousands of files,
 * among them public certificates with the names of secret files.
 */
const NOT_ENTERED = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  ".venv",
  "venv",
  "site-packages",
  ".tox",
  "__pycache__",
]);

/** How many entries of a folder are judged before the event loop has a turn. */
const AT_ONCE = 100;
/** A folder that changed less than this before it was read may change again at the same time, in milliseconds. */
const SETTLED_MS = 100n;
const MAX_KNOWN_FOLDERS = 100_000;

/**
 * Finds the hidden and read-only paths of a workspace. What it found in folders that have not changed since is used again.
 */
export class WorkspacePaths {
  #key = "";
  readonly #known = new Map<string, KnownFolder>();
  readonly #now: () => bigint;

  /** @param now the time in milliseconds. */
  constructor(now: () => bigint = () => BigInt(Date.now())) {
    this.#now = now;
  }

  /**
   * Every hidden and read-only path in and below the roots. A link with such a name stands for what it leads to.
   * @throws the reason of `signal` when it is aborted.
   */
  async find(roots: readonly string[], rules: PathRules, signal: AbortSignal): Promise<FoundPaths> {
    if (this.#key !== rules.key || this.#known.size > MAX_KNOWN_FOLDERS) this.#known.clear();
    this.#key = rules.key;
    const hidden = new Set<string>();
    const readOnly = new Set<string>();
    const folders = [...roots];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      signal.throwIfAborted();
      const found = await this.#folder(folder, rules);
      folders.push(...found.folders);
      for (const path of await targetsOf(found.hidden)) hidden.add(path);
      for (const path of await targetsOf(found.readOnly)) readOnly.add(path);
    }
    return { hidden: [...hidden].sort(), readOnly: [...readOnly].sort() };
  }

  async #folder(folder: string, rules: PathRules): Promise<KnownFolder> {
    const stats = await stat(folder, { bigint: true }).catch(() => undefined);
    if (stats === undefined) return { version: "", hidden: [], readOnly: [], folders: [] };
    const version = `${stats.dev}:${stats.ino}:${stats.ctimeNs}`;
    const known = this.#known.get(folder);
    if (known?.version === version) return known;
    const isSettled = this.#now() - stats.ctimeMs > SETTLED_MS;
    const found = { version, ...(await readFolder(folder, rules)) };
    if (isSettled && this.#key === rules.key) this.#known.set(folder, found);
    return found;
  }
}

async function readFolder(folder: string, rules: PathRules): Promise<Omit<KnownFolder, "version">> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const [hidden, readOnly, folders]: [string[], string[], string[]] = [[], [], []];
  for (const [at, entry] of entries.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const path = join(folder, entry.name);
    const isHidden = rules.isHidden(path);
    if (isHidden) hidden.push(path);
    else if (rules.isReadOnly(path)) readOnly.push(path);
    if (entry.isDirectory() && !isHidden && !NOT_ENTERED.has(entry.name)) folders.push(path);
  }
  return { hidden, readOnly, folders };
}

/** Where the paths lead; those that are gone, or lead nowhere, are left out. */
async function targetsOf(paths: readonly string[]): Promise<readonly string[]> {
  const targets = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return targets.filter((path) => path !== undefined);
}
