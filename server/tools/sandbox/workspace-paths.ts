import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

/** Which paths of the workspace a sandboxed command must not read, or not write. The paths given are absolute. */
export interface PathRules {
  readonly isHidden: (path: string) => boolean;
  readonly isReadOnly: (path: string) => boolean;
}

/** What a walk of the workspace found for a sandbox. */
export interface WorkspacePaths {
  readonly hidden: readonly string[];
  readonly readOnly: readonly string[];
}

/**
 * Folders whose content is not looked through: they hold what package managers install, often many thousands of files, among
 * them public certificates with the names of secret files.
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

/**
 * Every hidden and read-only path in and below the roots. A link with a hidden name stands for what it leads to.
 * @throws the reason of `signal` when it is aborted.
 */
export async function workspacePaths(
  roots: readonly string[],
  rules: PathRules,
  signal: AbortSignal,
): Promise<WorkspacePaths> {
  const hidden = new Set<string>();
  const readOnly = new Set<string>();
  const visit = async (folder: string): Promise<void> => {
    signal.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    await Promise.all(entries.map((entry) => look(entry, join(folder, entry.name))));
  };
  const look = async (entry: Dirent, path: string): Promise<void> => {
    const isHidden = rules.isHidden(path);
    const isReadOnly = rules.isReadOnly(path);
    if (isHidden || isReadOnly) {
      const real = entry.isSymbolicLink() ? await realpath(path).catch(() => undefined) : path;
      if (real !== undefined) (isHidden ? hidden : readOnly).add(real);
    }
    if (entry.isDirectory() && !isHidden && !NOT_ENTERED.has(entry.name)) await visit(path);
  };
  await Promise.all(roots.map(visit));
  return { hidden: [...hidden].sort(), readOnly: [...readOnly].sort() };
}
