import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type IgnoreRules, parseIgnoreRules } from "./ignore-rules.ts";
import { withFile } from "./open-file.ts";
import type { Place } from "./workspace.ts";

/** Never listed nor searched, unless the path that was asked for leads into one. */
const SKIPPED = new Set([".git", ".hg", ".svn", "node_modules"]);
const MAX_IGNORE_BYTES = 256 * 1024;

/** What a walk meets. A link is met and never followed, so that a walk can neither leave the workspace nor go round. */
export interface Entry extends Place {
  readonly kind: "file" | "folder" | "link";
  /** The way from the folder where the walk began, with `/`. */
  readonly below: string;
  /** 1 for what lies in that folder itself. */
  readonly depth: number;
}

type Folder = Place & Pick<Entry, "below" | "depth">;

interface FolderRules {
  /** Absolute. */
  readonly folder: string;
  readonly rules: IgnoreRules;
}

/**
 * Everything in and below the folder `start`, by name, each folder before what is in it, without what `.gitignore` files and
 * {@link SKIPPED} leave out. Folders that can not be read are passed over.
 * @throws the reason of `signal` once it is aborted.
 */
export async function* walk(
  start: Place,
  signal: AbortSignal,
  maxDepth = Number.POSITIVE_INFINITY,
): AsyncGenerator<Entry, void> {
  yield* walkFolder({ ...start, below: "", depth: 0 }, await rulesAbove(start), signal, maxDepth);
}

async function* walkFolder(
  folder: Folder,
  rulesAboveIt: readonly FolderRules[],
  signal: AbortSignal,
  maxDepth: number,
): AsyncGenerator<Entry, void> {
  if (folder.depth >= maxDepth) return;
  const entries = await readFolder(folder.path);
  const own = entries.some(({ name }) => name === ".gitignore") ? await rulesIn(folder.path, folder) : [];
  const rules = [...rulesAboveIt, ...own];
  for (const dirent of entries) {
    signal.throwIfAborted();
    const entry = entryOf(folder, dirent);
    if (entry === undefined || isIgnored(entry, rules)) continue;
    yield entry;
    if (entry.kind === "folder") yield* walkFolder(entry, rules, signal, maxDepth);
  }
}

/** Sorted by code units, so that the order is the same on every machine. */
async function readFolder(path: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    // A link may have been put in the place of a folder on the way here; its entries lie elsewhere.
    if ((await realpath(path)) !== path) return [];
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function entryOf(folder: Folder, dirent: Dirent): Entry | undefined {
  const kind = kindOf(dirent);
  if (kind === undefined || SKIPPED.has(dirent.name)) return undefined;
  const { name } = dirent;
  return {
    kind,
    path: join(folder.path, name),
    shown: folder.shown === "." ? name : `${folder.shown}/${name}`,
    root: folder.root,
    below: folder.below === "" ? name : `${folder.below}/${name}`,
    depth: folder.depth + 1,
  };
}

function kindOf(dirent: Dirent): Entry["kind"] | undefined {
  if (dirent.isDirectory()) return "folder";
  if (dirent.isFile()) return "file";
  return dirent.isSymbolicLink() ? "link" : undefined;
}

/** The rules of the folders from the root down to the one above `start`. */
async function rulesAbove(start: Place): Promise<readonly FolderRules[]> {
  const folders: string[] = [];
  for (let path = start.path; path !== start.root; path = dirname(path)) folders.unshift(dirname(path));
  const rules: FolderRules[] = [];
  for (const folder of folders) rules.push(...(await rulesIn(folder, start)));
  return rules;
}

async function rulesIn(folder: string, { root }: Place): Promise<readonly FolderRules[]> {
  const path = join(folder, ".gitignore");
  try {
    return await withFile({ path, shown: path, root }, async (handle) => {
      const buffer = Buffer.alloc(MAX_IGNORE_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return [{ folder, rules: parseIgnoreRules(buffer.toString("utf8", 0, bytesRead)) }];
    });
  } catch {
    return [];
  }
}

/** The rules nearest to the entry that speak of it decide. */
function isIgnored({ path, kind }: Entry, rules: readonly FolderRules[]): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const verdict = own.ignores(relative(folder, path).split(sep).join("/"), kind === "folder");
    if (verdict !== undefined) return verdict;
  }
  return false;
}
