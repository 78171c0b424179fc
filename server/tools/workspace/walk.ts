import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type IgnoreRules, parseIgnoreRules } from "./ignore-rules.ts";
import { withOpenFile } from "./open-file.ts";
import type { WorkspacePath } from "./workspace.ts";

/** Never listed or searched, unless the given path is within one. */
const SKIPPED = new Set([".git", ".hg", ".svn", "node_modules"]);
const MAX_IGNORE_BYTES = 256 * 1024;

/** A file, folder or link that a walk finds. Links are not followed, so that a walk stays in the workspace and ends. */
export interface Entry extends WorkspacePath {
  readonly kind: "file" | "folder" | "link";
  /** The path from the folder where the walk started, with `/`. */
  readonly relativePath: string;
  /** 1 for the entries of that folder itself. */
  readonly depth: number;
}

type Folder = WorkspacePath & Pick<Entry, "relativePath" | "depth">;

interface FolderRules {
  /** Absolute. */
  readonly folder: string;
  readonly rules: IgnoreRules;
}

/**
 * Everything in and below the folder `start`, sorted by name, each folder before its content, without what `.gitignore`
 * files and {@link SKIPPED} exclude. Unreadable folders are skipped.
 * @throws the reason of `signal` when it is aborted.
 */
export async function* walk(
  start: WorkspacePath,
  signal: AbortSignal,
  maxDepth = Number.POSITIVE_INFINITY,
): AsyncGenerator<Entry, void> {
  yield* walkFolder({ ...start, relativePath: "", depth: 0 }, await rulesAbove(start), signal, maxDepth);
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
    // A folder on the path may have been replaced by a link, whose entries are elsewhere.
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
    relativePath: folder.relativePath === "" ? name : `${folder.relativePath}/${name}`,
    depth: folder.depth + 1,
  };
}

function kindOf(dirent: Dirent): Entry["kind"] | undefined {
  if (dirent.isDirectory()) return "folder";
  if (dirent.isFile()) return "file";
  return dirent.isSymbolicLink() ? "link" : undefined;
}

/** The rules of the folders from the root down to the one above `start`. */
async function rulesAbove(start: WorkspacePath): Promise<readonly FolderRules[]> {
  const folders: string[] = [];
  for (let path = start.path; path !== start.root; path = dirname(path)) folders.unshift(dirname(path));
  const rules: FolderRules[] = [];
  for (const folder of folders) rules.push(...(await rulesIn(folder, start)));
  return rules;
}

async function rulesIn(folder: string, { root }: WorkspacePath): Promise<readonly FolderRules[]> {
  const path = join(folder, ".gitignore");
  try {
    return await withOpenFile({ path, shown: path, root }, async (handle) => {
      const buffer = Buffer.alloc(MAX_IGNORE_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return [{ folder, rules: parseIgnoreRules(buffer.toString("utf8", 0, bytesRead)) }];
    });
  } catch {
    return [];
  }
}

/** The nearest rules that mention the entry decide. */
function isIgnored({ path, kind }: Entry, rules: readonly FolderRules[]): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const ignored = own.ignores(relative(folder, path).split(sep).join("/"), kind === "folder");
    if (ignored !== undefined) return ignored;
  }
  return false;
}
